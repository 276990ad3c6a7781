import type { Host, HostWish } from '#test/support/host.js'
import type { Reply } from '#test/support/http-client.js'
import { clientId as ours, issuer as theirs } from '#test/support/identity/id-tokens.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

/** The chat account that Brzoza is linked to. */
export const linkedChat = '700100200300400500'

interface ChatConfig {
  readonly jwksUrl: string
  readonly clientId?: string
  readonly issuer?: string
  /** The account of the only binding. */
  readonly chatId?: string
}

const filesOf = ({ jwksUrl, clientId = ours, issuer = theirs, chatId = linkedChat }: ChatConfig) => ({
  ...nodeFiles,
  '.svc/config.json': JSON.stringify({
    server: { selfheal_interval_ms: 100, sign_in_per_minute: 0 },
    integrations: { chat: { client_id: clientId, issuer, jwks_url: jwksUrl } },
  }),
  '.svc/bindings.json': JSON.stringify({
    bindings: [{ chatId, gameId: '41001', since: '2026-01-01T00:00:00Z', by: 'x' }],
  }),
  'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 41001\n',
})

/** Chat sign-in at a host: real key keeper, real stores, real clock. */
interface SigningIn {
  readonly signIn: (idToken: string) => Promise<Reply>
  readonly post: (body: string | null) => Promise<Reply>
}

export type ChatHost = Host & SigningIn
export type ChatNode = TestNode & SigningIn

/** Starts a host with chat sign-in. */
export const chatHost = async <H extends Host>(
  start: (wish: HostWish) => Promise<H>,
  config: ChatConfig,
): Promise<H & SigningIn> => {
  const host = await start({ files: filesOf(config) })
  const post = (body: string | null): Promise<Reply> =>
    host.client.ask('/auth/chat', { method: 'POST', token: null, ...(body === null ? {} : { body }) })
  return { ...host, post, signIn: idToken => post(JSON.stringify({ id_token: idToken })) }
}

export const chatNode = (config: ChatConfig): Promise<ChatNode> => chatHost(startNode, config)
