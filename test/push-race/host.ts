import { symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type KillSubject, startSubject } from '#test/kill-points/subject.js'
import type { Client } from '#test/support/http-client.js'
import { gitIn } from '#test/support/repository.js'

/** One host of the race: a clone, a way to the remote that can be cut, and a daemon that can be killed. */
export interface RaceHost {
  readonly name: string
  readonly path: string
  /** Null while the daemon is away. */
  readonly client: () => Client | null
  readonly start: () => Promise<void>
  readonly kill: () => Promise<void>
  /** Stops the daemon and every git that it started where they are, until `thaw`. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** The remote is not found any more, as with a cable out; what is under way is not cut off. */
  readonly cutOff: () => void
  readonly reconnect: () => void
}

/** A clone of `bare` below `folder`; its remote is a link of its own. */
export const hostIn = (folder: string, bare: string, name: string): RaceHost => {
  const path = join(folder, name)
  const way = join(folder, `${name}-remote`)
  let subject: KillSubject | null = null
  let client: Client | null = null
  symlinkSync(bare, way)
  gitIn(folder, 'clone', '-q', way, path)
  return {
    name,
    path,
    client: () => client,
    start: async () => {
      const started = startSubject(path, false)
      subject = started
      client = await started.ready
      if (client === null) throw new Error(`${name} did not become ready: ${started.complaint()}`)
    },
    kill: async () => {
      client = null
      subject?.kill('group')
      await subject?.gone
      subject = null
    },
    freeze: () => {
      if (subject !== null) process.kill(-subject.pid, 'SIGSTOP')
    },
    thaw: () => {
      if (subject !== null) process.kill(-subject.pid, 'SIGCONT')
    },
    cutOff: () => unlinkSync(way),
    reconnect: () => symlinkSync(bare, way),
  }
}
