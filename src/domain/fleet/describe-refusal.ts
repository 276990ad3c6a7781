import type { TakeoverRefusal } from './takeover-refusals.js'

const faults = {
  missing: 'There is no reason.',
  too_long: 'The reason has more than 500 characters.',
  control: 'The reason has control characters.',
} as const

/** The sentence of a refused takeover: what is missing, and what to do next. */
export const describeRefusal = (refusal: TakeoverRefusal): string => {
  switch (refusal._tag) {
    case 'actuation_unavailable':
      return 'This host has no token, address or project of the forge. Set them, and start the host again.'
    case 'bad_request':
      return `${faults[refusal.fault]} Send another one.`
    case 'takeover_cooldown': {
      const ends = new Date(refusal.cooldown.endsAtMs).toISOString()
      return `The last takeover was merged too recently. Wait until ${ends}, or flip by hand.`
    }
    case 'target_ineligible':
      return `${refusal.target} cannot become the apex: ${refusal.reasons.join(', ')}. Name another town.`
    case 'no_candidate': {
      const towns = refusal.rejections.map(({ town, reasons }) => `${town} (${reasons.join(', ')})`)
      return towns.length === 0
        ? 'This host obeys no topology, so no town can become the apex. Commit .svc/fleet.json.'
        : `No town can become the apex: ${towns.join('; ')}. Remove the reasons of one of them.`
    }
    case 'not_corroborated': {
      const { apex, misses, needed } = refusal
      return `${misses} probes of ${apex} in a row have failed, and ${needed} are needed. Wait, or send force.`
    }
  }
}
