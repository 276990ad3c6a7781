/** The keys of `configKeys` whose value a commit alone cannot change. */
export type PinnedKey =
  | 'integrations.forge.api_url'
  | 'integrations.chat.api_url'
  | 'integrations.chat.issuer'
  | 'integrations.chat.client_id'
  | 'integrations.chat.jwks_url'
  | 'integrations.game.signing_key_url'

/** How two values of a key are compared, and which of them the host can use. */
type AddressForm = 'base' | 'gitlab' | 'url' | 'text'

/**
 * A committed key that decides where a secret goes, or who may sign in. A commit alone cannot change it: the host
 * goes on with the value that its operator gave in `variable`, or that its state area has pinned.
 */
export interface PinnedAddress {
  readonly rule: 'pinned'
  readonly key: PinnedKey
  /** What is sent there; null where the value decides who may sign in. */
  readonly secret: string | null
  /** The variable that gives the address; null: only a commit names it. */
  readonly variable: string | null
  readonly form: AddressForm
  /** The end of the sentence "… is pinned, because it". */
  readonly because: string
}

/** An address that no commit of the lore decides alone, or that gets no secret, with the reason. */
interface OtherAddress {
  readonly rule: 'other'
  /** A key of the configuration, or where else the address is. */
  readonly key: string
  readonly secret: string | null
  readonly because: string
}

const pin = (
  key: PinnedKey,
  secret: string | null,
  variable: string | null,
  form: AddressForm,
  because: string,
): PinnedAddress => ({ rule: 'pinned', key, secret, variable, form, because })

const other = (key: string, secret: string | null, because: string): OtherAddress => ({
  rule: 'other',
  key,
  secret,
  because,
})

/** Every address with the secret that is sent there: the one source of the rule and of the reference. */
export const addressRows: ReadonlyArray<PinnedAddress | OtherAddress> = [
  pin(
    'integrations.forge.api_url',
    'SVC_FORGE_TOKEN',
    'SVC_FORGE_URL',
    'gitlab',
    'receives the token of the forge',
  ),
  pin(
    'integrations.chat.api_url',
    'SVC_CHAT_BOT_TOKEN',
    'SVC_CHAT_URL',
    'base',
    'receives the token of the bot and the token of each interaction',
  ),
  pin('integrations.chat.issuer', null, null, 'text', 'decides whose id tokens sign in'),
  pin(
    'integrations.chat.client_id',
    null,
    null,
    'text',
    'decides for which application an id token signs in',
  ),
  pin('integrations.chat.jwks_url', null, null, 'url', 'has the keys that sign id tokens'),
  pin('integrations.game.signing_key_url', null, null, 'url', 'has the key that signs game sign-ins'),
  other(
    '`towns.*.url` of `.svc/fleet.json`',
    'the peer token of this host',
    'git is the authority of the topology, and the `aud` of the token is that town',
  ),
  other(
    'the git remote that `server.sync_remote` names',
    'the ssh key and the credential helpers of the operator',
    'its address is in the git settings of the checkout, which no commit changes',
  ),
  other(
    '`listening.json` of the state area',
    'the machine token',
    'only a loopback address is accepted, and no commit changes the file',
  ),
  other('nowhere', 'SVC_FLEET_KEY', 'the private key signs on this host and is never sent'),
  other('server.sync_remote', null, 'it is the name of a remote, and no address'),
  other('integrations.forge.project', null, 'it is a project of the pinned forge'),
  other('integrations.chat.guild_id', null, 'it is a guild of the pinned platform, which the bot has joined'),
  other(
    'integrations.game.roster_url',
    null,
    'the request carries no credential, and no sign-in follows from the roster',
  ),
  other('integrations.logs.hosts', null, 'the request carries no credential'),
  other('integrations.logs.page_hosts', null, 'it only says how a page of a listed host is read'),
  other(
    'integrations.game.map_hosts',
    null,
    'the request carries no credential, reaches public machines alone, and only the size of a picture is kept',
  ),
  other('fleet.monitor_url', null, 'the request carries no credential, and the monitor decides no sign-in'),
  other(
    'integrations.game.signature_digest',
    null,
    'each digest is strong, and the pinned key of the game decides',
  ),
  other(
    'integrations.game.auth_timestamp_skew_s',
    null,
    'it admits older envelopes, and only those that the pinned key signed',
  ),
  other(
    'integrations.game.require_challenge',
    null,
    'it admits repeated envelopes, and only those that the pinned key signed',
  ),
  other(
    'corpora.mc',
    null,
    'a commit of the lore can let the same people sign in as its roster can; it is read as the other trees are',
  ),
  ...['dziel', 'adnotacje', 'probki', 'logi', 'lang'].map(tree =>
    other(`corpora.${tree}`, null, 'outside the lore the operator allows the tree, and nothing is sent'),
  ),
  other('server.bind', null, 'it is ignored'),
  other('server.trusted_proxies', null, 'nothing is sent there'),
]

export const pinnedAddresses = addressRows.filter((row): row is PinnedAddress => row.rule === 'pinned')
