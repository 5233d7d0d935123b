import { Global, Module, type Abstract, type DynamicModule } from '@nestjs/common';
import { ConfigModule, registerAs } from '@nestjs/config';

/** Makes the configuration of a program injectable, typed by its class. */
@Global()
@Module({})
export class ConfigurationModule {
  /**
   * Takes the loaded configuration, not the environment: the logger and the HTTP server need it before there is a container,
   * and a program whose configuration has problems lists them and ends before it connects to anything.
   * @param token class of the configuration
   */
  static register<Configuration extends object>(
    token: Abstract<Configuration>,
    configuration: Configuration,
  ): DynamicModule {
    const namespace = registerAs(token.name, () => configuration);
    return {
      module: ConfigurationModule,
      imports: [ConfigModule.forFeature(namespace)],
      providers: [{ provide: token, useExisting: namespace.KEY }],
      exports: [token],
    };
  }
}
