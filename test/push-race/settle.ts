import { eventually } from '#test/support/daemon.js'
import { headIn } from '#test/support/repository.js'
import type { RaceHost } from './host.js'

export const settleLimitMs = 90_000

export const headOf = (path: string): string => headIn(path, 'refs/heads/main')

/** Lets every host converge until all stand where the remote stands; false where they do not in time. */
export const waitUntilSettled = (
  bare: string,
  hosts: ReadonlyArray<Pick<RaceHost, 'path' | 'client'>>,
): Promise<boolean> =>
  eventually(
    async () => {
      for (const host of hosts) await host.client()?.ask('/sync', { method: 'POST', body: '{}' })
      return hosts.every(host => headOf(host.path) === headOf(bare))
    },
    isOne => isOne,
    settleLimitMs,
  ).catch(() => false)
