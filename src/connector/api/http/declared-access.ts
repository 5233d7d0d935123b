import { Injectable, RequestMethod, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from '../../../foundation/http/access.js';
import { Bug } from '../../../kernel/faults.js';

type Handler = (...args: never[]) => unknown;

/** Stops the start of a program that has a route without declared access (S3). */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Bug that names every such route */
  onModuleInit(): void {
    const open = this.discovery
      .getControllers()
      .flatMap(({ instance }) => this.routesWithoutAccess(Object(instance) as object));
    if (open.length > 0) {
      throw new Bug(`routes without @Access: ${open.join(', ')}`);
    }
  }

  private routesWithoutAccess(controller: object): readonly string[] {
    const prototype = Object.getPrototypeOf(controller) as object;
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = Reflect.get(prototype, name) as Handler;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (
        method === undefined ||
        this.reflector.getAllAndOverride(ACCESS, [handler, controller.constructor as Handler]) !== undefined
      ) {
        return [];
      }
      const path = [controller.constructor, handler]
        .flatMap((target) => Reflect.getMetadata(PATH_METADATA, target) as string | string[])
        .map((part) => part.replace(/^\/+|\/+$/g, ''))
        .filter((part) => part !== '');
      return [`${RequestMethod[method]} /${path.join('/')}`];
    });
  }
}
