import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '#test/support/daemon.js'
import { writeFiles } from '#test/support/repository.js'
import type { Certificate } from './certificates.js'

export interface CaddyPlace {
  /** A name that files may have. */
  readonly name: string
  readonly address: string
  /** The port of loopback to which requests go. */
  readonly port: number
  readonly certificate: Certificate
  readonly within: ReadonlyArray<string>
}

export interface Caddy {
  /** The path of the socket under which the same place is reached from outside of its network. */
  readonly socket: string
  readonly stop: () => Promise<void>
}

const configOf = ({ address, port, certificate }: CaddyPlace, socket: string): string => `{
  admin off
  auto_https off
}
https://${address} {
  bind ${address}
  tls ${certificate.certificate} ${certificate.key}
  reverse_proxy 127.0.0.1:${port}
}
http:// {
  bind unix/${socket}
  reverse_proxy 127.0.0.1:${port}
}
`

/** Starts a caddy before a place, and waits until it listens. */
export const startCaddy = async (folder: string, place: CaddyPlace): Promise<Caddy> => {
  const socket = join(folder, `${place.name}.sock`)
  const config = `${place.name}.caddy`
  writeFiles(folder, { [config]: configOf(place, socket) })
  const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, config)]
  const [program = '', ...args] = [...place.within, ...command]
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said = `${said}${part.toString('utf8')}`.slice(-2_000)
  })
  const ended = once(child, 'exit')
  await eventually(
    () => Promise.resolve(existsSync(socket) || child.exitCode !== null),
    isDone => isDone,
  )
  if (child.exitCode !== null) throw new Error(`caddy ended with ${child.exitCode}: ${said}`)
  return {
    socket,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
