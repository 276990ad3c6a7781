import * as t from 'io-ts'
import { tiers } from '../atoms.js'
import { SignatureDigest } from '../identity/sign-in.js'

const flag = t.boolean
const text = t.string
const nothing = 'Empty: the host has none.'

const ownerKey = (workload: Workload): ConfigKey<ScheduleOwner> => {
  const codec = t.refinement(
    ScheduleOwner,
    owner => listOwners(workload).includes(owner),
    ownerWords(workload),
  )
  return key(codec, workloads[workload].fallback, null, `Owner: ${ownerWords(workload)}.`)
}

const key = <A>(
  codec: t.Type<A, unknown, unknown>,
  fallback: NoInfer<A>,
  unit: string | null,
  about: string,
): ConfigKey<A> => ({ codec, fallback, unit, about })

const within = (name: string, least: number, most: number, whole: boolean): t.Type<number, number, unknown> =>
  new t.Type<number, number, unknown>(
    name,
    (u): u is number => typeof u === 'number' && u >= least && u <= most && (!whole || Number.isInteger(u)),
    (u, context) =>
      typeof u === 'number' && u >= least && u <= most && (!whole || Number.isInteger(u))
        ? t.success(u)
        : t.failure(u, context, `${name} wanted`),
    t.identity,
  )

const Whole = within('a whole number from 0', 0, Number.MAX_SAFE_INTEGER, true)
/** A TCP port; 0 lets the system choose. */
const Port = within('a port from 0 to 65535', 0, 65_535, true)
const Share = within('a number from 0 to 1', 0, 1, false)
/** The time between two repetitions, in the unit of its key. */
const Period = within('a number from 0.01', 0.01, Number.MAX_SAFE_INTEGER, false)
/** As `Period`, and 0 for never. */
const OptionalPeriod = t.union([Period, t.literal(0)], 'a number from 0.01, or 0')
const Amount = within('a number from 0', 0, Number.MAX_SAFE_INTEGER, false)
const Texts = t.readonlyArray(t.string, 'a list of texts')

/** Host names as a URL has them: in lower case, with international letters in Punycode. */
const Hosts = t.refinement(
  Texts,
  all => all.every(one => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(one)),
  'a list of host names in lower case',
)

/** A host and the selector of one element of its pages: a tag, an id, classes, such as `pre`, `#note` or `div.note`. */
const PageHosts = t.refinement(
  Texts,
  all => all.every(one => /^[a-z0-9-]+(\.[a-z0-9-]+)+ (?=\S)[\w-]*([#.][\w-]+)*$/.test(one)),
  'a list of `host element`',
)

const address = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]*)(\/\d{1,3})?$/i

/** Addresses of hosts, IPv4 or IPv6, or subnets such as `10.0.0.0/8`. */
const Addresses = t.refinement(
  Texts,
  all => all.every(one => address.test(one)),
  'a list of IP addresses or subnets',
)

const isZone = (text: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** An IANA time zone that this build of Node knows. */
const TimeZone = new t.Type<string, string, unknown>(
  'an IANA time zone',
  (u): u is string => typeof u === 'string' && isZone(u),
  (u, context) => (typeof u === 'string' && isZone(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

const isChannel = (text: string): boolean => {
  const parts = text.split('/')
  return parts.length === 2 && parts.every(part => part.trim() !== '') && !text.includes('\n')
}

/** A channel of the chat as `category/channel`, or an empty text. */
const ChannelText = t.refinement(
  t.string,
  text => text === '' || isChannel(text),
  'category/channel or an empty text',
)

/** The words of a list that is written as texts or as one text with commas. */
export const listTierWords = (value: SearchTiers): ReadonlyArray<string> =>
  (typeof value === 'string' ? value.split(',') : value).map(word => word.trim()).filter(word => word !== '')

const isTierWord = (word: string): boolean => word === 'all' || tiers.some(tier => tier === word)

const isSearchTiers = (u: unknown): u is SearchTiers =>
  (typeof u === 'string' || (Array.isArray(u) && u.every(one => typeof one === 'string'))) &&
  listTierWords(u).every(isTierWord)

/** The value of `server.search_index`: tiers or `all`, as a list of texts or as one text with commas. */
export const SearchTiers = new t.Type<SearchTiers, SearchTiers, unknown>(
  `a list of ${tiers.join(', ')} or all`,
  isSearchTiers,
  (u, context) => (isSearchTiers(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** Who runs a workload: the tick of the apex, the job of CI, or neither. */
export const ScheduleOwner = t.keyof({ fleet: null, ci: null, off: null }, 'ScheduleOwner')

const anyOwner = ['fleet', 'ci', 'off'] as const
const fleetOrOff = ['fleet', 'off'] as const

/** The recurring workloads with their allowed owners and default (A 4.11): the one source of both. */
export const workloads = {
  close_reminder: { allowed: anyOwner, fallback: 'off' },
  map_checkup: { allowed: anyOwner, fallback: 'fleet' },
  settlement: { allowed: ['ci', 'off'], fallback: 'ci' },
  lineage_autopilot: { allowed: fleetOrOff, fallback: 'fleet' },
  alias_autopilot: { allowed: fleetOrOff, fallback: 'fleet' },
} as const satisfies Readonly<Record<string, WorkloadRow>>

/** The owners that a workload may have. */
export const listOwners = (workload: Workload): ReadonlyArray<ScheduleOwner> => workloads[workload].allowed

/** `fleet, ci or off`. */
export const ownerWords = (workload: Workload): string => {
  const owners = listOwners(workload)
  return `${owners.slice(0, -1).join(', ')} or ${owners.at(-1) ?? ''}`
}

/**
 * The configuration file `.svc/config.json`, one row per key (B 8, LAYOUT): the one source of defaults, of
 * the reference and of the type `Config`. Other keys may be in the file and are never read.
 */
export const configKeys = {
  'server.bind': key(text, '127.0.0.1', null, 'Ignored: the listener always binds loopback.'),
  'server.port': key(
    Port,
    0,
    'port',
    'Port of the API listener; a boot parameter wins, 0 lets the system choose.',
  ),
  'server.read_only': key(flag, false, null, 'Starts the host in mode ReadOnly.'),
  'server.sync_max_age_min': key(Whole, 60, 'min', 'Age of the last converge that closes the write gate.'),
  'server.sync_branch': key(text, '', null, "Branch that is followed; empty: the remote's head."),
  'server.sync_interval_min': key(
    OptionalPeriod,
    15,
    'min',
    'Time between two converges; fractions are allowed, 0 disables sync.',
  ),
  'server.sync_remote': key(text, 'origin', null, 'Name of the git remote.'),
  'server.publish_mode': key(
    t.keyof({ push: null, mr: null, none: null }),
    'none',
    null,
    'How commits leave the host: pushed, by a merge request of the forge, or not at all.',
  ),
  'server.gc_interval_min': key(
    Whole,
    60,
    'min',
    'Time between two runs of `git gc --auto`; 0 disables them, and the packing of loose objects after writes.',
  ),
  'server.reader_threads': key(
    Whole,
    0,
    null,
    'Threads that answer pooled routes, at most one for each processor; 0: none.',
  ),
  'server.search_index': key(
    SearchTiers,
    '',
    null,
    'Search tiers that this host indexes, or `all`; `lore` brings `session`; empty: none.',
  ),
  'server.selfheal_interval_ms': key(
    Whole,
    5000,
    'ms',
    'Time between two looks at HEAD; 0: before every request.',
  ),
  'server.mention_index_interval_min': key(
    Whole,
    15,
    'min',
    'Time between two builds of the mention index; 0 disables.',
  ),
  'server.event_journal': key(flag, true, null, 'Keeps events in a journal beside the live stream.'),
  'server.event_journal_mib': key(Whole, 64, 'MiB', 'Size above which the oldest events are removed.'),
  'server.event_journal_days': key(Whole, 90, 'days', 'Age above which events are removed.'),
  'server.log_stream_mib': key(
    Whole,
    32,
    'MiB',
    'Size of each log stream above which its oldest records are removed.',
  ),
  'server.log_stream_days': key(Whole, 30, 'days', 'Age above which records of the log streams are removed.'),
  'server.time_zone': key(
    TimeZone,
    'Europe/Warsaw',
    null,
    'Zone of the civil day on which fields resolve (D10).',
  ),
  'server.sign_in_per_minute': key(
    Whole,
    60,
    '1/min',
    'Requests of the public sign-in routes that one client may make in a minute, over the burst; 0: no limit.',
  ),
  'server.sign_in_burst': key(Whole, 60, null, 'Requests of these routes that one client may make at once.'),
  'server.own_writes_per_minute': key(
    Whole,
    30,
    '1/min',
    'Writes that one person without the full capability may make in a minute, over the burst; 0: no limit.',
  ),
  'server.own_writes_burst': key(Whole, 60, null, 'Writes that such a person may make at once.'),
  'server.trusted_proxies': key(
    Addresses,
    [],
    null,
    'Addresses or subnets of proxies whose `X-Forwarded-For` names the client; empty: the header is ignored.',
  ),
  'corpora.mc': key(text, '', null, `Moderator repository, relative to the lore or absolute. ${nothing}`),
  'corpora.dziel': key(text, '', null, `Works repository, relative to the lore or absolute. ${nothing}`),
  'corpora.adnotacje': key(text, '', null, `Annotation tree. ${nothing}`),
  'corpora.probki': key(text, '', null, `Fine-tuning store. ${nothing}`),
  'corpora.logi': key(text, '', null, 'Transcript archive; empty: `logi/` inside the lore.'),
  'corpora.lang': key(
    text,
    '',
    null,
    'Language data, relative to the lore or absolute; empty: `jezyk/` inside the lore.',
  ),
  'content_gate.sniff_chars': key(
    Whole,
    400,
    'chars',
    'Length of the head of a transcript that the content gate reads.',
  ),
  'content_gate.binary_share': key(
    Share,
    0.2,
    null,
    'Share of replacement characters above which a body is binary.',
  ),
  'scrape.pdf_confidence_floor': key(
    Share,
    0.5,
    null,
    'Confidence below which text read out of a PDF is dropped.',
  ),
  'scrape.max_payload_bytes': key(Whole, 20_971_520, 'bytes', 'Largest body that a fetch takes.'),
  'alias_autopilot.interval_minutes': key(Whole, 30, 'min', 'Time between two ticks.'),
  'alias_autopilot.max_per_tick': key(Whole, 20, null, 'Aliases written in one tick.'),
  'lineage_autopilot.interval_minutes': key(Whole, 60, 'min', 'Time between two ticks.'),
  'lineage_autopilot.max_per_tick': key(Whole, 10, null, 'Lines written in one tick.'),
  'lineage_autopilot.auto_merge': key(flag, true, null, 'Lines are written without a merge request.'),
  'integrations.chat.enabled': key(flag, true, null, 'Chat delivery.'),
  'integrations.chat.rate_per_minute': key(Whole, 30, '1/min', 'Messages sent in a minute.'),
  'integrations.chat.client_id': key(text, '', null, 'Audience of id tokens; empty disables chat sign-in.'),
  'integrations.chat.guild_id': key(
    text,
    '',
    null,
    'Guild whose members may register; empty disables registration.',
  ),
  'integrations.chat.issuer': key(text, '', 'URL', 'Issuer of id tokens.'),
  'integrations.chat.jwks_url': key(text, '', 'URL', 'Key set of the issuer.'),
  'integrations.chat.api_url': key(text, '', 'URL', "Base of the chat platform's REST interface."),
  'integrations.chat.jwks_cache_ttl_min': key(
    Whole,
    1440,
    'min',
    'Age at which the key set is fetched again.',
  ),
  'integrations.chat.channel_cache_ttl_min': key(
    Whole,
    60,
    'min',
    'Age at which channels are fetched again.',
  ),
  'integrations.chat.role_cache_ttl_min': key(Whole, 5, 'min', 'Age at which guild roles are fetched again.'),
  'integrations.chat.close_reminder.first_reminder_delay_hours': key(
    Whole,
    0,
    'h',
    'Delay of the first reminder, from the end of the last day of the session.',
  ),
  'integrations.chat.close_reminder.interval_hours': key(
    Whole,
    24,
    'h',
    'Time between two looks at open sessions.',
  ),
  'integrations.chat.close_reminder.cooldown_hours': key(
    Whole,
    48,
    'h',
    'Time between two reminders of one narrator.',
  ),
  'integrations.chat.peer_watch.channel': key(
    ChannelText,
    '',
    null,
    'Channel `category/channel` for changes of the fleet; empty: they are not sent.',
  ),
  'integrations.chat.converge_announce.channel': key(
    ChannelText,
    '',
    null,
    'Channel `category/channel` for what a converge brought; empty: it is not announced.',
  ),
  'integrations.chat.converge_announce.enabled': key(flag, true, null, 'Announces what a converge brought.'),
  'integrations.chat.converge_announce.max_authors': key(Whole, 5, null, 'Authors named in an announcement.'),
  'integrations.chat.dispatch.window_ms': key(Whole, 5000, 'ms', 'Age at which a dispatch is stale.'),
  'integrations.chat.dispatch.worker_timeout_ms': key(
    Whole,
    6500,
    'ms',
    'Time-out of the worker that forwards interactions; `window_ms` is at most this less 1500.',
  ),
  'integrations.chat.dispatch.near_deadline_ms': key(Whole, 3000, 'ms', 'Age at which a report is too late.'),
  'integrations.chat.dispatch.skew_alert_ms': key(Whole, 2000, 'ms', 'Clock skew that is reported.'),
  'integrations.chat.dispatch.max_attempts': key(Whole, 3, null, 'Tries of one interaction.'),
  'integrations.chat.dispatch.max_per_tick': key(Whole, 1, null, 'Enactments in one tick.'),
  'integrations.chat.dispatch.tick_budget_ms': key(
    Whole,
    2000,
    'ms',
    'Time after which a tick starts no new item.',
  ),
  'integrations.logs.fetch_timeout_ms': key(Whole, 15_000, 'ms', 'Limit of one transcript fetch.'),
  'integrations.logs.failed_ttl_hours': key(Whole, 24, 'h', 'Age at which a failed fetch is tried again.'),
  'integrations.logs.failed_max_attempts': key(Whole, 5, null, 'Tries of one transcript.'),
  'integrations.logs.hosts': key(
    Hosts,
    [],
    null,
    'Hosts that transcripts may be fetched from; redirects may lead to listed hosts alone.',
  ),
  'integrations.logs.page_hosts': key(
    PageHosts,
    [],
    null,
    'Hosts whose notes are pages, each with the element that has the note: `notatki.example div.note`.',
  ),
  'integrations.forge.api_url': key(text, '', 'URL', "Base of the forge's interface."),
  'integrations.forge.project': key(text, '', null, 'Project of the lore on the forge.'),
  'integrations.game.signing_key_url': key(
    text,
    '',
    'URL',
    'Key that game sign-in is verified with, PEM or JWK.',
  ),
  'integrations.game.signing_key_cache_ttl_s': key(
    Whole,
    86_400,
    's',
    "Age at which the game's sign-in key is fetched again.",
  ),
  'integrations.game.signature_digest': key(
    SignatureDigest,
    'sha256',
    null,
    'Digest of the RSASSA-PKCS1-v1_5 signature.',
  ),
  'integrations.game.auth_timestamp_skew_s': key(
    Whole,
    300,
    's',
    'Skew that a signed time may have, inclusive.',
  ),
  'integrations.game.session_ttl_s': key(
    Whole,
    14_400,
    's',
    'Lifetime of a login, and so of its `sess_` token.',
  ),
  'integrations.game.require_challenge': key(flag, false, null, 'Game sign-in needs a challenge.'),
  'integrations.game.roster_url': key(text, '', 'URL', "The world's online roster."),
  'integrations.game.resolve_fetches_per_hour': key(Whole, 6, '1/h', 'Roster fetches in a sliding hour.'),
  'integrations.game.resolve_miss_ttl_s': key(Whole, 300, 's', 'Age at which a miss is forgotten.'),
  'integrations.game.map_hosts': key(
    Hosts,
    [],
    null,
    'Hosts of the pictures of maps; pictures elsewhere are not measured. Redirects may lead to listed hosts alone.',
  ),
  'integrations.game.map_checkup.interval_hours': key(Whole, 24, 'h', 'Time between two sweeps.'),
  'integrations.game.map_checkup.request_delay_ms': key(
    Whole,
    100,
    'ms',
    'Pause between two requests to pictures.',
  ),
  'integrations.game.map_checkup.timeout_ms': key(
    Whole,
    10_000,
    'ms',
    'Limit of one map, with all its requests.',
  ),
  'integrations.game.map_checkup.max_probe_steps': key(Whole, 5, null, 'Requests to the picture of one map.'),
  'integrations.game.map_checkup.failure_budget': key(
    Whole,
    20,
    null,
    'Transport failures in a row that stop a sweep.',
  ),
  'integrations.game.map_checkup.batch_size': key(
    Whole,
    300,
    null,
    'Maps of the catalogue that one tick goes through at most.',
  ),
  'integrations.game.map_checkup.tick_budget_ms': key(
    Whole,
    4000,
    'ms',
    'Time after which a tick starts no new map.',
  ),
  'integrations.game.map_checkup.retry_cooldown_ms': key(
    Whole,
    30_000,
    'ms',
    'Pause after a tick whose last request failed, or that could not commit.',
  ),
  'import.legacy.game': key(
    text,
    '',
    null,
    'Word of the game in legacy labels (`ID <word>`); empty: any word.',
  ),
  'sessions.staged': key(flag, false, null, 'New sessions are staged as drafts.'),
  'normalization.narrator_near_form_score': key(
    Share,
    0.85,
    null,
    'Similarity that folds two spellings of a narrator.',
  ),
  'fleet.auto_failover.enabled': key(
    flag,
    true,
    null,
    'This host asks for a takeover by itself when the apex stays dark.',
  ),
  'fleet.auto_failover.after_sweeps': key(
    Whole,
    3,
    null,
    'Failed probes in a row that corroborate a takeover.',
  ),
  'fleet.auto_failover.cooldown_hours': key(Whole, 24, 'h', 'Time between two takeovers.'),
  'fleet.watch_interval_min': key(
    Period,
    5,
    'min',
    'Time between two probes of a peer; fractions are allowed.',
  ),
  'fleet.monitor_url': key(text, '', 'URL', 'Document of the outside monitor.'),
  'fleet.monitor_stale_after_s': key(Whole, 900, 's', 'Age at which the monitor document is stale.'),
  'schedules.close_reminder': ownerKey('close_reminder'),
  'schedules.map_checkup': ownerKey('map_checkup'),
  'schedules.settlement': ownerKey('settlement'),
  'schedules.lineage_autopilot': ownerKey('lineage_autopilot'),
  'schedules.alias_autopilot': ownerKey('alias_autopilot'),
  'pu.monthly_base': key(Amount, 1, 'PU', 'Base of a character and month.'),
  'pu.monthly_cap': key(Amount, 5, 'PU', 'Most that a month grants a character.'),
  'pu.election_window_months': key(Whole, 6, 'months', 'Window of election eligibility.'),
  'pu.election_threshold': key(Amount, 3, 'PU', 'Total from which a Gracz is eligible.'),
  'pu.new_character.divisor': key(Amount, 2, null, 'Divisor of the earned sum.'),
  'pu.new_character.bonus': key(Amount, 20, 'PU', 'Added to the divided sum.'),
  'pu.new_character.floor': key(Amount, 20, 'PU', 'Least a new character starts with.'),
} as const

export type ConfigName = keyof typeof configKeys

type ValueOf<K> = K extends {
  readonly fallback: infer _F
  readonly codec: t.Type<infer A, infer _O, infer _I>
}
  ? A
  : never

/** Every key with its value: the committed one, else the default. */
export type Config = { readonly [K in ConfigName]: ValueOf<(typeof configKeys)[K]> }

/** A key of `.svc/config.json`: its codec, built-in default, unit and one sentence for the reference. */
interface ConfigKey<A> {
  readonly codec: t.Type<A, unknown, unknown>
  readonly fallback: A
  readonly unit: string | null
  readonly about: string
}

type SearchTiers = string | ReadonlyArray<string>
export type ScheduleOwner = t.TypeOf<typeof ScheduleOwner>

interface WorkloadRow {
  readonly allowed: ReadonlyArray<ScheduleOwner>
  readonly fallback: ScheduleOwner
}

export type Workload = keyof typeof workloads

/** The workloads that the fleet may own, so that a host may run them. */
export type FleetWorkload = {
  [Name in Workload]: 'fleet' extends (typeof workloads)[Name]['allowed'][number] ? Name : never
}[Workload]

export const isWorkload = (name: string): name is Workload => Object.hasOwn(workloads, name)

/** The names of the workloads, in the order of the table. */
export const workloadNames: ReadonlyArray<Workload> = Object.keys(workloads).filter(isWorkload)
