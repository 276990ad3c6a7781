import { deepEqual, equal } from 'node:assert/strict'
import { capabilities } from '#protocol/atoms.js'
import { bundles } from '#src/domain/identity/roles.js'
import { startBuilt } from '#test/support/built-host.js'
import { callerWith, nowMs, testFront } from '#test/support/front.js'
import type { Client } from '#test/support/http-client.js'
import { textsOf } from '#test/support/writing-world.js'
import { twoPlayers, twoPlayersFiles } from './own-scope-world.js'

/** Who asks in the lines of SECURITY 4.4. */
export interface OwnTokens {
  /** Odo, with what players hold, his own key, and no more. */
  readonly odo: string
  /** The same rights, of nobody. */
  readonly stray: string
  /** A reader who sees restricted topics. */
  readonly topics: string
}

/** Two players at a host, and whether anything was written since the last look. */
export interface OwnScopeHost {
  readonly client: Client
  readonly token: OwnTokens
  /** Fails where something was written. */
  readonly isUnwritten: () => void
  /** Takes back what was written. */
  readonly restore: () => void
  readonly close: () => Promise<void>
}

export type StartOwnScope = () => Promise<OwnScopeHost>

/** An own-only sync is no grant. */
const gracz = [...(bundles['gracz'] ?? []), 'apikey.manage.own', 'sync.read.own', 'sync.run.own']
const topics = ['entity.read', 'player.restricted.read']

export const ownScopeFront: StartOwnScope = async () => {
  const first = twoPlayers()
  const token = { odo: 'sess_odo', stray: 'sess_stray', topics: 'sess_topics' }
  const front = await testFront({
    snapshot: first,
    callers: {
      [token.odo]: { ...callerWith(gracz, 'Odo'), gameId: '71002' },
      [token.stray]: callerWith(gracz, null),
      [token.topics]: callerWith(topics),
    },
  })
  return {
    client: front.client,
    token,
    isUnwritten: () => deepEqual(textsOf(front.world() ?? first), textsOf(first), 'something was written'),
    restore: () => front.serve(first),
    close: front.close,
  }
}

/** The built daemon, which looks at HEAD before each request: what is taken back is gone with the next. */
export const ownScopeBuilt: StartOwnScope = async () => {
  const host = await startBuilt({
    files: {
      ...twoPlayersFiles,
      '.svc/config.json': '{"server": {"selfheal_interval_ms": 0}}',
      '.svc/roles.json': JSON.stringify({ roles: { gracz } }),
    },
    sessionsOf: ['71002'],
    heldAtMs: nowMs,
  })
  const minted = async (name: string, held: ReadonlyArray<string>): Promise<string> => {
    const body = JSON.stringify({
      name,
      capabilities: held.filter(one => capabilities.some(id => id === one)),
    })
    const { status, text } = await host.client.ask('/tokens', { method: 'POST', body })
    equal(status, 201, text)
    return /"token":"([^"]+)"/.exec(text)?.[1] ?? ''
  }
  const { git, head: headNow } = host.repository
  let head = headNow()
  return {
    client: host.client,
    token: {
      odo: await host.session('71002'),
      stray: await minted('bezpański', gracz),
      topics: await minted('tematy', topics),
    },
    isUnwritten: () => equal(headNow(), head, 'something was written'),
    restore: () => {
      if (headNow() === head) return
      git('checkout', '-q', head, '--', '.')
      git('commit', '-q', '-am', 'restored')
      head = headNow()
    },
    close: host.stop,
  }
}
