import { instantOf } from '#protocol/atoms.js'
import {
  type ReasonFault,
  type TakeoverCooldown,
  type TakeoverRefusal,
  takeoverReasonCharsMax,
} from './takeover-refusals.js'

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
