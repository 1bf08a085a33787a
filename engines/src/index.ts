export {
  type EngineAnswer,
  type EngineMissing,
  type EngineReady,
  engine,
  type PrivateEngine,
  startPrivate,
} from './api.ts'
export { buildOnce, cacheFolder, type Recipe } from './cache.ts'
export { containerProcesses } from './docker/container-processes.ts'
export { daemonPid } from './docker/daemon-pid.ts'
export type { DockerAddress } from './docker/docker.ts'
export { type BuiltImage, buildImage, type ImageSettings, imageArchive } from './docker/image.ts'
export { pushImage } from './docker/push.ts'
export { taskFolder } from './docker/task-folder.ts'
export type { RestartMode, Settings } from './engine.ts'
export { openTemporary } from './folder.ts'
export { compactEtcd } from './kubernetes/etcd.ts'
export type { KubernetesAddress } from './kubernetes/kubernetes.ts'
export { type KubernetesPids, kubernetesPids } from './kubernetes/pids.ts'
export { type KubernetesTools, kubernetesTools } from './kubernetes-tools.ts'
export { type NpmPackage, npmPackage } from './npm-package.ts'
export { prepareEngine } from './prepare.ts'
export type { ProcessIdentity } from './process-identity.ts'
export type { RegistryAddress } from './registry.ts'
export { sponsorEnv, thisProcess } from './sponsor.ts'
export { type EngineStatus, engineNames, engineStatus, leaveEngine } from './status.ts'
export type { AddressOf, EngineName } from './table.ts'
export { type TarEntry, tar } from './tar.ts'
