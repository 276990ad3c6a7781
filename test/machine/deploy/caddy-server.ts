import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '#test/support/daemon.js'
import { temporaryFolder } from '#test/support/repository.js'

/** A running caddy. */
export interface CaddyServer {
  readonly stop: () => Promise<void>
}

/** Its administration has one port for all caddies of a machine: a test leaves it out. */
const withoutAdmin = (caddyfile: string): string => caddyfile.replace(/^\{$/m, '{\n\tadmin off')

/** Starts caddy with a Caddyfile and its environment, and waits until it answers on a port of loopback. */
export const serveCaddyfile = async (
  caddyfile: string,
  port: number,
  env: Readonly<Record<string, string>>,
): Promise<CaddyServer> => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'Caddyfile')
  writeFileSync(file, withoutAdmin(caddyfile))
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...process.env, ...env, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString('utf8')
  })
  const ended = once(child, 'close')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    folder.dispose()
  }
  try {
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(`caddy ended: ${said}`)
        return fetch(`http://127.0.0.1:${port}/`).catch(() => null)
      },
      answer => answer !== null,
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
