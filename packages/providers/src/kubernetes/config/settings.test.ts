import { describe, expect, it } from 'vitest'
import { type Environment, type SettingOptions, settingsFrom } from './settings.ts'

const usual = {
  namespace: 'default',
  region: 'local',
  country: 'Local',
  city: 'Localhost',
  labels: {},
  imagePullSecrets: [],
  argoNamespace: 'argocd',
}

describe('settings', () => {
  const rows: readonly [string, SettingOptions, Environment, object][] = [
    ['nothing at all', {}, {}, usual],
    [
      'the environment alone',
      {},
      {
        GANTRY_K8S_KUBECONFIG: '/k',
        GANTRY_K8S_CONTEXT: 'c',
        GANTRY_K8S_NAMESPACE: 'n',
        GANTRY_K8S_REGION: 'eu',
        GANTRY_K8S_COUNTRY: 'Italy',
        GANTRY_K8S_CITY: 'Rome',
        GANTRY_K8S_IN_CLUSTER: 'true',
        GANTRY_K8S_LABELS: 'team=a, tier = b=c',
        GANTRY_K8S_IMAGE_PULL_SECRETS: 'one, two,,',
        GANTRY_K8S_ARGO_NAMESPACE: 'argo',
      },
      {
        kubeconfig: '/k',
        context: 'c',
        namespace: 'n',
        region: 'eu',
        country: 'Italy',
        city: 'Rome',
        inCluster: true,
        labels: { team: 'a', tier: 'b=c' },
        imagePullSecrets: ['one', 'two'],
        argoNamespace: 'argo',
      },
    ],
    [
      'options over the environment',
      { namespace: 'mine', labels: { a: 'b' }, imagePullSecrets: ['x'], inCluster: false },
      {
        GANTRY_K8S_NAMESPACE: 'n',
        GANTRY_K8S_LABELS: 'c=d',
        GANTRY_K8S_IMAGE_PULL_SECRETS: 'y',
        GANTRY_K8S_IN_CLUSTER: '1',
      },
      { ...usual, namespace: 'mine', labels: { a: 'b' }, imagePullSecrets: ['x'], inCluster: false },
    ],
    [
      'empty options, which never override',
      { namespace: '', labels: {}, imagePullSecrets: [], region: undefined },
      {
        GANTRY_K8S_NAMESPACE: 'n',
        GANTRY_K8S_LABELS: 'c=d',
        GANTRY_K8S_IMAGE_PULL_SECRETS: 'y',
        GANTRY_K8S_REGION: 'r',
      },
      { ...usual, namespace: 'n', labels: { c: 'd' }, imagePullSecrets: ['y'], region: 'r' },
    ],
    ['empty variables, which are none', {}, { GANTRY_K8S_CITY: ' ', GANTRY_K8S_IN_CLUSTER: '' }, usual],
  ]
  it.each(rows)('come from %s', (_, options, env, expected) => {
    expect(settingsFrom(options, env)).toEqual(expected)
  })

  it.each([
    [{ GANTRY_K8S_IN_CLUSTER: 'maybe' }, /write true or false/],
    [{ GANTRY_K8S_LABELS: 'team' }, /write name=value/],
  ])('refuse %o', (env, said) => {
    expect(() => settingsFrom({}, env)).toThrowError(said)
  })
})
