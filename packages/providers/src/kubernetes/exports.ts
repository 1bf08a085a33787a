/** `@gantry/providers/kubernetes`: a Kubernetes cluster as an engine. */
export type { KubernetesApi } from './api/api.ts'
export { type ConnectOptions, connectKubernetes } from './api/connect.ts'
export type { ClusterConfig } from './config/cluster-config.ts'
export { clusterFromText, resolveCluster } from './config/resolve.ts'
export { type KubernetesSettings, type SettingOptions, settingsFrom, variables } from './config/settings.ts'
export { type KubernetesEngine, kubernetesEngine } from './index.ts'
export type { KubernetesOptions } from './options.ts'
