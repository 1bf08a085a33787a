/** The browser of whoever sits here. */
import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** Pure: what would open an address; `undefined`: nobody could see it. */
export function openerOf(platform: NodeJS.Platform, env: Environment): string | undefined {
  if (platform === 'darwin') return 'open'
  const hasScreen = (env.DISPLAY ?? '') !== '' || (env.WAYLAND_DISPLAY ?? '') !== ''
  return hasScreen && platform !== 'win32' ? 'xdg-open' : undefined
}

/** Whether it was started; what becomes of it is its own matter. */
export function openIn(opener: string, address: string): Promise<boolean> {
  const child = spawn(opener, [address], { detached: true, stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
