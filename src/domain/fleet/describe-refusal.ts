import { instantOf } from '#protocol/atoms/instant.js'
import { type ReasonFault, type TakeoverRefusal, takeoverReasonCharsMax } from './takeover-refusals.js'

const faultWords: Readonly<Record<ReasonFault, string>> = {
  missing: 'The body has no `reason`',
  too_long: `The \`reason\` has more than ${takeoverReasonCharsMax} characters`,
  control: 'The `reason` has control characters or line breaks',
}

/**
 * The sentence of a refused takeover: what is missing, and what to do next. `missingSetting` is the setting without
 * which this host cannot call the forge.
 */
export const describeRefusal = (refusal: TakeoverRefusal, missingSetting: string): string => {
  switch (refusal._tag) {
    case 'actuation_unavailable':
      return (
        `This host cannot call the forge: ${missingSetting} is missing or unusable. ` +
        'Set it, and start the host again.'
      )
    case 'bad_request':
      return `${faultWords[refusal.fault]}. Say in one line why the role is taken over.`
    case 'takeover_cooldown': {
      const ends = instantOf(refusal.cooldown.endsAtMs)
      return `A takeover was merged shortly before. Wait until ${ends}, or commit a flip by hand.`
    }
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
      return `${misses} probes of ${apex} in a row failed here; ${needed} must. Wait, or send \`force\`.`
    }
  }
}
