import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import Provider, { type Configuration } from 'oidc-provider'
import { askTarget, type Reply } from '#test/support/http-client.js'

/**
 * An OpenID provider of another implementation, on loopback, where every visitor is logged in as one account.
 */
export interface OpenIdProvider {
  readonly issuer: string
  /** The URLs in its discovery document. */
  readonly discover: () => Promise<{ readonly issuer: string; readonly jwksUrl: string }>
  /** Runs the authorization code flow with PKCE, as browser and client; returns the id token. */
  readonly idToken: (clientId: string, nonce: string) => Promise<string>
  readonly close: () => Promise<void>
}

const redirectUri = 'http://127.0.0.1/cb'

const Discovery = t.type({ issuer: t.string, jwks_uri: t.string })
const Tokens = t.type({ id_token: t.string })

const decodeReply = <A>(codec: t.Type<A>, reply: Reply): A => {
  const value = codec.decode(reply.json)
  if (isLeft(value)) throw new Error(`${reply.status} ${reply.text}`)
  return value.right
}

const configurationOf = (clientIds: ReadonlyArray<string>, accountId: string): Configuration => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'provider-1' }],
    },
    clients: clientIds.map(client_id => ({
      client_id,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    })),
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: () => ({ accountId, claims: () => ({ sub: accountId }) }),
    // Every account consents: a grant of `openid` exists in advance.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId ?? '', accountId })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
  }
}

const cookiesOf = (reply: Reply): ReadonlyArray<readonly [string, string]> =>
  (reply.headers['set-cookie'] ?? []).map(line => {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })

/** Follows redirects, with the cookies of all answers, until one leads to the client. */
const codeOf = async (port: number, target: string): Promise<string> => {
  const jar = new Map<string, string>()
  let next = target
  for (let hops = 0; hops < 6; hops += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await askTarget(port, next, { headers: { Cookie: cookie } })
    for (const [name, value] of cookiesOf(reply)) jar.set(name, value)
    const to = new URL(reply.headers.location ?? '', `http://127.0.0.1:${port}`)
    const code = to.searchParams.get('code')
    if (code !== null) return code
    if (reply.headers.location === undefined) throw new Error(`${reply.status} ${reply.text}`)
    next = to.pathname + to.search
  }
  throw new Error('the provider leads in a circle')
}

/** Starts a provider under the given issuer name, by default its own URL. */
export const openIdProvider = async (
  clientIds: ReadonlyArray<string>,
  accountId: string,
  calledIssuer?: string,
): Promise<OpenIdProvider> => {
  let answer: (req: IncomingMessage, res: ServerResponse) => void = () => undefined
  const server = createServer((req, res) => answer(req, res))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('nothing listens')
  const { port } = address
  const issuer = calledIssuer ?? `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, configurationOf(clientIds, accountId))
  const callback = provider.callback()
  answer = (req, res) => {
    if (req.url?.startsWith('/interaction/') === true)
      void provider.interactionFinished(req, res, { login: { accountId }, consent: {} })
    else void callback(req, res)
  }
  return {
    issuer,
    discover: async () => {
      const found = decodeReply(Discovery, await askTarget(port, '/.well-known/openid-configuration'))
      return { issuer: found.issuer, jwksUrl: found.jwks_uri }
    },
    idToken: async (clientId, nonce) => {
      const verifier = randomBytes(32).toString('base64url')
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        scope: 'openid',
        redirect_uri: redirectUri,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        nonce,
      })
      const code = await codeOf(port, `/auth?${query.toString()}`)
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
      }).toString()
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return decodeReply(Tokens, await askTarget(port, '/token', { method: 'POST', headers, body })).id_token
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
