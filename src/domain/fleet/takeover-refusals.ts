import { instantOf, isBlank } from '#protocol/atoms.js'
import {
  type FleetView,
  type Ineligibility,
  ineligibilitiesOf,
  noTownView,
  rankCandidates,
  rejectionsOf,
  type TownRejection,
} from './candidates.js'

export const takeoverReasonCharsMax = 500

/** The request of `POST /fleet/takeover`. */
export interface TakeoverRequest {
  /** Null where the body has none. */
  readonly reason: string | null
  readonly target: string | null
  readonly isForced: boolean
}

/** The takeover that the cooldown began with. */
export interface TakeoverCooldown {
  /** Null until the forge has answered. */
  readonly mrIid: number | null
  readonly mrUrl: string | null
  /** On the clock of the forge. */
  readonly endsAtMs: number
}

/** What is read in the request that is decided (S4). */
export interface TakeoverFacts {
  /** Whether the host has a token, an address and a project of the forge. */
  readonly canActuate: boolean
  /** Null where none is running. */
  readonly cooldown: TakeoverCooldown | null
  /** Null where this host obeys no topology. */
  readonly fleet: FleetView | null
  /** The town of this host. */
  readonly self: string
  /** `fleet.auto_failover.after_sweeps`. */
  readonly afterSweeps: number
}

export type TakeoverRefusal =
  | { readonly _tag: 'actuation_unavailable' }
  | { readonly _tag: 'bad_request'; readonly fault: ReasonFault }
  | { readonly _tag: 'takeover_cooldown'; readonly cooldown: TakeoverCooldown }
  | {
      readonly _tag: 'target_ineligible'
      readonly target: string
      readonly reasons: ReadonlyArray<Ineligibility>
    }
  | { readonly _tag: 'no_candidate'; readonly rejections: ReadonlyArray<TownRejection> }
  | {
      readonly _tag: 'not_corroborated'
      readonly apex: string
      readonly misses: number
      readonly needed: number
    }

/**
 * Every refusal that the request meets, in the order of A 4.10: the first one is answered. `isForced` removes
 * the last alone (S4). `GET /fleet/peers` shows them all.
 */
export const takeoverRefusals = (
  facts: TakeoverFacts,
  { reason, target, isForced }: TakeoverRequest,
): ReadonlyArray<TakeoverRefusal> => {
  const fault = reasonFault(reason)
  const { canActuate, cooldown, fleet } = facts
  return [
    canActuate ? null : ({ _tag: 'actuation_unavailable' } as const),
    fault === null ? null : ({ _tag: 'bad_request', fault } as const),
    cooldown === null ? null : ({ _tag: 'takeover_cooldown', cooldown } as const),
    targetRefusal(fleet, target),
    candidateRefusal(fleet),
    isForced ? null : corroborationRefusal(facts),
  ].filter(refusal => refusal !== null)
}

/** Decides a takeover: its target is the one that was named, else the first candidate. */
export const decideTakeover = (facts: TakeoverFacts, request: TakeoverRequest): TakeoverDecision => {
  const [refusal] = takeoverRefusals(facts, request)
  if (refusal !== undefined) return { _tag: 'Refused', refusal }
  const [first] = facts.fleet === null ? [] : rankCandidates(facts.fleet)
  const target = request.target ?? first
  return target === undefined
    ? { _tag: 'Refused', refusal: { _tag: 'no_candidate', rejections: [] } }
    : { _tag: 'Accepted', target }
}

/**
 * The sentence of a refused takeover: what is missing, and what to do next. `missingSetting` is the setting without
 * which this host cannot call the forge.
 */
export const describeRefusal = (refusal: TakeoverRefusal, missingSetting: string): string => {
  switch (refusal._tag) {
    case 'actuation_unavailable':
      return (
        `This host cannot call the forge: ${settingWords[missingSetting] ?? missingSetting}. ` +
        'Set it, and start the host again.'
      )
    case 'bad_request':
      return `${faultWords[refusal.fault]}. Say in one line why the role is taken over.`
    case 'takeover_cooldown':
      return describeCooldown(refusal.cooldown)
    case 'target_ineligible': {
      const reasons = refusal.reasons.join(', ')
      return `${refusal.target} cannot become the apex: ${reasons}. GET /fleet/peers has the records.`
    }
    case 'no_candidate': {
      const towns = refusal.rejections.map(({ town, reasons }) => `${town} (${reasons.join(', ')})`)
      return towns.length === 0
        ? 'This host obeys no topology, so no town can become the apex. Commit .svc/fleet.json.'
        : `No town can become the apex: ${towns.join('; ')}. Remove the reasons of one of them.`
    }
    case 'not_corroborated': {
      const { apex, misses, needed } = refusal
      return (
        `Failed probes of ${apex} in a row on this host: ${misses}; a takeover needs ${needed}. ` +
        'Wait, or send `force`.'
      )
    }
  }
}

/** The takeover that made the topology as it is: the flip of a person has none. */
export interface MergedTakeover {
  /** Null until the forge has answered. */
  readonly mrIid: number | null
  readonly mrUrl: string | null
  /** On the clock of the forge; before its first answer of this boot, the date of the flip's commit. */
  readonly mergedAtMs: number
}

/**
 * The cooldown that a takeover began with, or null where it is over (D48). `nowMs` is on the clock of
 * `mergedAtMs`, so a step of this host's clock neither shortens nor lengthens it (S7).
 */
export const cooldownOf = (
  takeover: MergedTakeover | null,
  cooldownHours: number,
  nowMs: number,
): TakeoverCooldown | null => {
  if (takeover === null) return null
  const { mrIid, mrUrl, mergedAtMs } = takeover
  const endsAtMs = Math.min(endsAtMsMax, mergedAtMs + cooldownHours * 3_600_000)
  return nowMs < endsAtMs ? { mrIid, mrUrl, endsAtMs } : null
}

type ReasonFault = 'missing' | 'too_long' | 'control'

type TakeoverDecision =
  | { readonly _tag: 'Accepted'; readonly target: string }
  | { readonly _tag: 'Refused'; readonly refusal: TakeoverRefusal }

const reasonFault = (reason: string | null): ReasonFault | null => {
  if (reason === null || isBlank(reason)) return 'missing'
  if (Array.from(reason).length > takeoverReasonCharsMax) return 'too_long'
  return /[\p{Cc}\u2028\u2029\ufffd]/u.test(reason) ? 'control' : null
}

const targetRefusal = (fleet: FleetView | null, target: string | null): TakeoverRefusal | null => {
  if (target === null) return null
  const reasons: ReadonlyArray<Ineligibility> =
    fleet === null ? ['unknown_town'] : ineligibilitiesOf(fleet, target)
  return reasons.length === 0 ? null : { _tag: 'target_ineligible', target, reasons }
}

const candidateRefusal = (fleet: FleetView | null): TakeoverRefusal | null => {
  if (fleet !== null && rankCandidates(fleet).length > 0) return null
  return { _tag: 'no_candidate', rejections: fleet === null ? [] : rejectionsOf(fleet) }
}

/** This host's own probes show the apex dark, or this host is the apex and steps down. */
const corroborationRefusal = ({ fleet, self, afterSweeps }: TakeoverFacts): TakeoverRefusal | null => {
  if (fleet === null) return null
  const { apex, towns } = fleet.topology
  if (self === apex && towns.get(apex)?.isSteppingDown === true) return null
  const misses = self === apex ? 0 : (fleet.views.get(apex) ?? noTownView).consecutiveMisses
  return misses >= afterSweeps ? null : { _tag: 'not_corroborated', apex, misses, needed: afterSweeps }
}

const faultWords: Readonly<Record<ReasonFault, string>> = {
  missing: 'The body has no `reason`',
  too_long: `The \`reason\` has more than ${takeoverReasonCharsMax} characters`,
  control: 'The `reason` has control characters, line breaks or U+FFFD',
}

/** Why the forge cannot be called, for each setting of it. */
const settingWords: Readonly<Record<string, string>> = {
  token: 'SVC_FORGE_TOKEN, or the file that SVC_FORGE_TOKEN_FILE names, has no token',
  api_url: 'integrations.forge.api_url is missing, or is no address that ends in /api/v4',
  project: 'integrations.forge.project is missing, or is neither a number nor a path such as lore/kronika',
}

/** A cooldown without a request is an assumption: the host has not found the request that it began with. */
const describeCooldown = ({ mrIid, endsAtMs }: TakeoverCooldown): string => {
  const ends = instantOf(endsAtMs)
  return mrIid === null
    ? 'This host does not know yet whether a takeover was merged shortly before, and assumes one. Wait until the ' +
        `forge has answered, at most until ${ends}, or commit a flip by hand.`
    : `A takeover was merged shortly before. Wait until ${ends}, or commit a flip by hand.`
}

/** Later ends, of a merge in a far future, have no date that an answer can show. */
const endsAtMsMax = Date.parse('9999-12-31T23:59:59.999Z')
