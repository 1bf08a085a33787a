/** Where a cluster has its files, below its folder. */
import { join } from 'node:path'

export const certificates = (folder: string): string => join(folder, 'pki')
export const certificate = (folder: string, name: string): string => join(certificates(folder), `${name}.crt`)
export const key = (folder: string, name: string): string => join(certificates(folder), `${name}.key`)
export const tokens = (folder: string): string => join(folder, 'tokens.csv')
/** Of one user or part. */
export const kubeconfig = (folder: string, user: string): string => join(folder, `${user}.kubeconfig`)
export const etcdData = (folder: string): string => join(folder, 'etcd')
export const containerdSocket = (folder: string): string => join(folder, 'ctrd.sock')
export const containerdRoot = (folder: string): string => join(folder, 'ctrd')
export const containerdConfig = (folder: string): string => join(folder, 'containerd.toml')
/** What names of registries lead to. */
export const registryHosts = (folder: string): string => join(folder, 'registries')
export const networkConfig = (folder: string): string => join(folder, 'cni')
export const kubeletConfig = (folder: string): string => join(folder, 'kubelet.json')
export const proxyConfig = (folder: string): string => join(folder, 'proxy.json')
/** Programs by the names that others call them by. */
export const names = (folder: string): string => join(folder, 'bin')
/** Stand in for folders of the system, inside of the cluster only. */
export const standIn = (folder: string, name: string): string => join(folder, `in-${name}`)
export const volumes = (folder: string): string => join(folder, 'volumes')
export const pids = (folder: string): string => join(folder, 'pids.json')
export const log = (folder: string, part: string): string => join(folder, `${part}.log`)
