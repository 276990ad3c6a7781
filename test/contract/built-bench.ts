import { rmSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { capabilities } from '#protocol/atoms.js'
import { queryOf } from '#protocol/route.js'
import type { routes } from '#protocol/routes.js'
import { startBuilt } from '#test/support/built-host.js'
import { chatDouble, roleBody } from '#test/support/chat/chat-double.js'
import { chatIssuer, jwkOf } from '#test/support/chat/chat-issuer.js'
import { contractChatId, contractFiles, contractWorks } from '#test/support/contract-world.js'
import { eventually } from '#test/support/daemon.js'
import { nowMs, testMachineToken } from '#test/support/front.js'
import type { Client, Reply } from '#test/support/http-client.js'
import { serveGameKey } from '#test/support/identity/fleet-hosts.js'
import { clientId, goodIdClaims, idToken, issuer } from '#test/support/identity/id-tokens.js'
import { gitIn, repositoryOf } from '#test/support/repository.js'
import { type AnySample, type Asking, askOf, collectNeededPairs, requestTargetOf } from './bench.js'
import { samples } from './samples.js'

const brzozaId = '41001'
const guildRole = { status: 200, body: [roleBody('77', 'Narratorzy')] }

/** Brzoza holds what there is in an own variant, and that alone. */
const rolesFile = JSON.stringify({ roles: { gracz: capabilities.filter(one => one.endsWith('.own')) } })

const decodeReply = <A>(codec: t.Type<A>, reply: Reply): A => {
  const value = codec.decode(reply.json)
  if (isLeft(value)) throw new Error(`${reply.status} ${reply.text}`)
  return value.right
}

const postBody = async <A>(client: Client, path: string, body: object, codec: t.Type<A>): Promise<A> =>
  decodeReply(codec, await client.ask(path, { method: 'POST', body: JSON.stringify(body) }))

/** What a caller of the bench holds, by its name; null for one that is no caller by name. */
const capabilitiesOf = (name: string): ReadonlyArray<string> | null => {
  const [kind = '', capability = ''] = name.split(':')
  const others = capabilities.filter(one => !['admin.all', 'docs.edit', capability].includes(one))
  // Whoever makes a key for Brzoza may do no less than Brzoza.
  const besides = capability === 'apikey.manage' ? others : []
  if (kind === 'plain') return [capability, ...besides]
  if (kind === 'all') return [`${capability.split('.')[0] ?? ''}.all`, ...besides]
  return kind === 'lacks' ? others.filter(one => one !== `${capability}.own`) : null
}

/** Named tokens for the callers of the bench, minted when they are first asked for. */
const callersAt = (client: Client): ((name: string) => Promise<string>) => {
  const minted = new Map<string, string>()
  return async name => {
    const known = minted.get(name)
    const held = capabilitiesOf(name)
    if (known !== undefined || held === null) return known ?? name
    const { token } = await postBody(
      client,
      '/tokens',
      { name, capabilities: held },
      t.type({ token: t.string }),
    )
    minted.set(name, token)
    return token
  }
}

/** The sample of a row, with another text in its answer. */
const sampleWithText = (id: keyof typeof routes, says: string): Readonly<Record<string, AnySample>> => {
  const sample = samples[id]
  if (sample === undefined) throw new Error(`${id} has no sample`)
  return { [id]: { ...sample, says } }
}

/** The samples of the front, told of what this daemon has in its place: its own job, token and history. */
export const builtSamples: Readonly<Record<string, AnySample>> = {
  ...samples,
  ...sampleWithText('jobs.result.get', '"speakerProposals"'),
  ...sampleWithText('tokens.list', '"bot wydarzeń"'),
  ...sampleWithText('audit.changes.list', 'Kupiec Bogdan'),
  ...sampleWithText('chat.deliveries.list', '"count":0'),
  ...sampleWithText('derived.get', '"surfaces"'),
}

/**
 * Rows that act for a person: no named token is one, and Brzoza holds only what has an own variant. Process tests of
 * their own ask them at the built daemon.
 */
export const rowsOfPersons = [
  'workflows.queryByChat',
  'workflows.closeSessionByChat',
  'workflows.reportSessionByChat',
  'workflows.closeSession',
  'workflows.finalizeClose',
] as const satisfies ReadonlyArray<keyof typeof routes>

/** Waits for the indexes and the artifact of mentions, and asks for a text that no document has. */
const missOneSearch = async (client: Client): Promise<void> => {
  await eventually(
    () => client.ask('/search?q=Latarnik&scope=lore,session,external'),
    ({ status }) => status === 200,
  )
  await eventually(
    () => client.ask('/health'),
    ({ text }) => text.includes('"mentionIndex":"fresh"'),
  )
}

type Sampled = Pick<AnySample, 'path' | 'body'>

/** Samples of rows that tell of what this daemon alone has done, and of what is good once. */
const ownSamples = async (client: Client): Promise<Readonly<Record<string, () => Promise<Sampled>>>> => {
  const job = await postBody(client, '/locations/reindex?async=true', {}, t.type({ jobId: t.string }))
  await eventually(
    () => client.ask(`/jobs/${job.jobId}`),
    ({ text }) => text.includes('"completed"'),
  )
  const standing = { name: 'bot wydarzeń', capabilities: ['entity.read'] }
  const { id } = await postBody(client, '/tokens', standing, t.type({ id: t.string }))
  const one = (sample: Sampled) => () => Promise.resolve(sample)
  let signIns = 0
  return {
    'jobs.get': one({ path: { id: job.jobId } }),
    'jobs.result.get': one({ path: { id: job.jobId } }),
    'tokens.revoke': one({ path: { id } }),
    // An id token without a nonce is taken once (ADR 1020).
    'auth.chat.signIn': () => {
      signIns += 1
      const claims = { ...goodIdClaims(nowMs, contractChatId), jti: String(signIns) }
      return Promise.resolve({ path: {}, body: { id_token: idToken(claims) } })
    },
    // A code is good for one claim.
    'apiKeys.claim': async () => {
      const { claim } = await postBody(client, '/api-keys', { gameId: brzozaId }, t.type({ claim: t.string }))
      return { path: { sha: claim } }
    },
  }
}

/** The built daemon over the contract world, its chat platform and the keys of both sign-ins on loopback. */
export const startBuiltBench = async (): Promise<Asking> => {
  const [gameKey, chatKeys, chat] = [
    await serveGameKey(),
    await chatIssuer(jwkOf('first')),
    await chatDouble(),
  ]
  chat.script(guildRole, guildRole)
  const works = repositoryOf(contractWorks)
  const bare = `${works.path}.git`
  const config = {
    server: {
      selfheal_interval_ms: 100,
      sync_interval_min: 600,
      publish_mode: 'push',
      sign_in_per_minute: 0,
      search_index: 'all',
    },
    corpora: { dziel: works.path },
    integrations: {
      logs: { hosts: ['logi.example'] },
      game: { signing_key_url: gameKey.url },
      chat: { client_id: clientId, issuer, jwks_url: chatKeys.jwksUrl, api_url: chat.url, guild_id: '900' },
    },
  }
  const host = await startBuilt({
    files: { ...contractFiles, '.svc/config.json': JSON.stringify(config), '.svc/roles.json': rolesFile },
    town: 'Deyja',
    args: ['--allow-tree', works.path],
    sessionsOf: [brzozaId],
    heldAtMs: nowMs,
    env: { SVC_CHAT_BOT_TOKEN: 'bot-token-of-the-built-bench' },
    ready: repository => {
      gitIn(works.path, 'init', '-q', '--bare', '-b', 'main', bare)
      repository.git('remote', 'add', 'origin', bare)
      repository.git('push', '-q', 'origin', 'main')
    },
  })
  // A host with a town takes no writes before it has looked for a topology.
  await eventually(
    () => host.client.ask('/health'),
    ({ text }) => text.includes('"ReadWrite"'),
  )
  await missOneSearch(host.client)
  const callerOf = callersAt(host.client)
  const samplesHere = await ownSamples(host.client)
  const own = await host.session(brzozaId)
  const tokenFor = async (name: string | null | undefined): Promise<string | null | undefined> => {
    if (name === null || name === undefined || name === testMachineToken)
      return name === null ? null : undefined
    return name.startsWith('own:') ? own : callerOf(name)
  }
  return {
    ask: async (subject, query, ask = {}) => {
      const here = { ...subject, sample: { ...subject.sample, ...(await samplesHere[subject.id]?.()) } }
      const token = await tokenFor(ask.token)
      const { token: _name, ...rest } = ask
      return host.client.ask(requestTargetOf(here, query ?? collectNeededPairs(here)), {
        ...askOf(here, rest),
        ...(token === undefined ? {} : { token }),
      })
    },
    trial: row => ('dryRun' in queryOf(row) ? [['dryRun', 'true']] : []),
    close: async () => {
      await host.stop()
      for (const server of [chatKeys, chat]) await server.close()
      gameKey.close()
      works.dispose()
      rmSync(bare, { recursive: true })
    },
  }
}
