/** Where an instance has its files, below its folder. */
import { join } from 'node:path'

export const dockerSocket = (folder: string): string => join(folder, 'docker.sock')
export const containerdSocket = (folder: string): string => join(folder, 'ctrd.sock')
export const dataRoot = (folder: string): string => join(folder, 'data')
export const execRoot = (folder: string): string => join(folder, 'exec')
export const pidFile = (folder: string): string => join(folder, 'docker.pid')
export const keyFile = (folder: string): string => join(folder, 'key.json')
export const containerdRoot = (folder: string): string => join(folder, 'ctrd')
export const containerdState = (folder: string): string => join(folder, 'ctrd-state')
/** Where containerd has a folder for each running container. */
export const shimState = (folder: string): string => join(containerdState(folder), 'io.containerd.runtime.v2.task')
export const dockerConfig = (folder: string): string => join(folder, 'daemon.json')
export const containerdConfig = (folder: string): string => join(folder, 'containerd.toml')
export const dockerLog = (folder: string): string => join(folder, 'dockerd.log')
export const containerdLog = (folder: string): string => join(folder, 'containerd.log')
