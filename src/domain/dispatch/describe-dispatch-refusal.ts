import type { DispatchRefusal, DispatchRules } from './check-dispatch.js'
import { usableValues } from './dispatch-kind.js'

type Reading = Extract<DispatchRefusal, { _tag: 'Undispatchable' }>['reading']

const describeVariable = (name: string): string => `${name} (${usableValues[name] ?? 'not blank'})`

const dayMs = 86_400_000

/** A question for a sender whose time is so far off that no delay explains it. */
const askUnit = (ageMs: number): string =>
  ageMs > dayMs ? ' Is `sentAtEpochMs` in milliseconds, and are both clocks right?' : ''

const describeReading = (reading: Reading): string => {
  switch (reading._tag) {
    case 'UnknownKind':
      return '`kind` is none of close, report and query. Send one of them.'
    case 'NoKind':
      return 'There is no `kind`, and `vars` has no variable of one. Send `kind`, or the variables of one kind.'
    case 'SeveralKinds':
      return `There is no \`kind\`, and \`vars\` has variables of ${reading.kinds.join(' and ')}. Send \`kind\`.`
    case 'VarsMissing':
      return `A ${reading.kind} needs ${reading.missing.map(describeVariable).join(' and ')}. Send it in \`vars\`.`
  }
}

/** The sentence of a refused dispatch: what is wrong, and what to do next. */
export const describeDispatchRefusal = (refusal: DispatchRefusal, rules: DispatchRules): string => {
  switch (refusal._tag) {
    case 'Undispatchable':
      return describeReading(refusal.reading)
    case 'Stale':
      return (
        `The interaction is ${refusal.ageMs} ms old, and this host takes none older than ${rules.windowMs} ms. ` +
        `Enact it by the pipeline.${askUnit(refusal.ageMs)}`
      )
    case 'Late':
      return (
        `The report is ${refusal.ageMs} ms old, and this host takes none older than ${rules.nearDeadlineMs} ms. ` +
        'File it by the pipeline.'
      )
    case 'Gated':
      return `The write gate is closed: ${refusal.arm}. Enact the ${refusal.kind} by the pipeline.`
    case 'Full':
      return 'As many interactions wait as this host takes. Try again after the seconds of Retry-After.'
    case 'EnactorAbsent':
      return `enactor absent on this host: it enacts no ${refusal.kind}. Enact it by the pipeline.`
  }
}
