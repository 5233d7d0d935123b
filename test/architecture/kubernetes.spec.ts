import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadConnectorConfig } from '../../src/connector/connector-config.js';

// What a cluster's own validation would refuse, and what a container may take and do.

const object = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: z.object({ name: z.string() }) });
const container = z.looseObject({
  image: z.string().regex(/:\d+\.\d+\.\d+$/),
  command: z.array(z.string()),
  envFrom: z.tuple([z.object({ configMapRef: z.object({ name: z.string() }) })]),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
});
const workload = z.looseObject({
  spec: z.looseObject({
    template: z.object({
      metadata: z.looseObject({ labels: z.object({ app: z.literal('connector'), role: z.string() }) }),
      spec: z.looseObject({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([container]),
      }),
    }),
  }),
});

const objects = ['connector', 'migration'].flatMap((name) =>
  parseAllDocuments(readFileSync(`docs/operations/kubernetes/${name}.yml`, 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return object.parse(document.toJS());
  }),
);
const workloads = objects.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)).map((one) => workload.parse(one));

it('every Kubernetes object exists once', () => {
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    ...['ConfigMap connector', 'ServiceAccount connector', 'Deployment connector-api', 'Deployment connector-worker'],
    ...['Service connector', 'PodDisruptionBudget connector-api', 'PodDisruptionBudget connector-worker'],
    ...['NetworkPolicy connector', 'Job connector-migration'],
  ]);
  expect(workloads).toHaveLength(3);
});

describe('the schemas that Kubernetes publishes', () => {
  const models = new Map<string, new (data: never) => { validate(): void }>([
    ['v1 ConfigMap', ConfigMap],
    ['v1 Service', Service],
    ['v1 ServiceAccount', ServiceAccount],
    ['apps/v1 Deployment', Deployment],
    ['batch/v1 Job', Job],
    ['networking.k8s.io/v1 NetworkPolicy', NetworkPolicy],
    ['policy/v1 PodDisruptionBudget', PodDisruptionBudget],
  ]);
  const validate = (one: z.infer<typeof object>) => {
    const Model = models.get(`${one.apiVersion} ${one.kind}`);
    expect(Model).toBeDefined();
    if (Model !== undefined) {
      new Model(one as never).validate();
    }
  };

  it.each(objects)('accept $kind $metadata.name as it is', (one) => {
    validate(one);
  });

  it('reject a field of another shape', () => {
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    const { spec } = z.object({ spec: z.looseObject({}) }).parse(deployment);
    expect(() => {
      validate(object.parse({ ...deployment, spec: { ...spec, replicas: 'two' } }));
    }).toThrow('replicas');
  });
});

it('the containers run programs that the image has', () => {
  const programs = workloads.map(({ spec }) => spec.template.spec.containers[0].command.at(-1));
  expect(programs).toEqual(['main', 'worker', 'migrate'].map((name) => `dist/connector/${name}.js`));
});

describe('the environment', () => {
  const data = z.record(z.string(), z.string()).parse(objects.find(({ kind }) => kind === 'ConfigMap')?.['data']);

  const withSecrets = () =>
    Object.fromEntries(
      Object.entries(data).map(([name, value]) =>
        name.endsWith('_FILE') ? [name.slice(0, -5), SECRETS[name]] : [name, value],
      ),
    );

  it('is accepted by the connector in production, with its secrets as files', () => {
    expect(loadConnectorConfig(withSecrets()).publicUrl).toBe('https://connector.example');
    expect(
      Object.keys(data).filter((name) => /PASSWORD|SECRET|KEYS|TOKEN/.test(name) && !name.endsWith('_FILE')),
    ).toEqual([]);
  });

  it('has no variables of the services beside it, which the connector takes for misspelt settings of its own', () => {
    // What Kubernetes puts into each container of a namespace with a service of this name, unless the pod says no.
    const linked = { ...withSecrets(), CONNECTOR_PORT: 'tcp://10.0.0.1:80', CONNECTOR_SERVICE_HOST: '10.0.0.1' };
    expect(() => loadConnectorConfig(linked)).toThrow('CONNECTOR_PORT: unknown variable');
    expect(objects.some(({ kind, metadata }) => kind === 'Service' && metadata.name === 'connector')).toBe(true);
    expect(workloads.map(({ spec }) => spec.template.spec['enableServiceLinks'])).toEqual([false, false, false]);
  });
});

const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_PASSWORD_FILE: 'a password of our own',
  PLATFORM_CLIENT_SECRET_FILE: 'a client secret of our own',
  CREDENTIAL_KEYS_FILE: `one:${createHash('sha256').update('a key').digest('base64')}`,
};
