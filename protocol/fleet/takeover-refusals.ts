import * as t from 'io-ts'
import { refusalRow as row } from '../refusal-row.js'

const text = t.string
const texts = t.readonlyArray(t.string)

/** The refusals of a takeover, in the order of their checks (A 4.10). */
export const takeoverRefusalRows = {
  actuation_unavailable: row(
    503,
    'This host cannot call the forge; `setting` is missing or unusable. Set it, and start the host again.',
    { setting: text },
  ),
  takeover_cooldown: row(
    409,
    'A takeover was merged less than `fleet.auto_failover.cooldown_hours` ago. Wait until `endsUtc`, or flip by hand.',
    { mrIid: t.union([t.number, t.null]), mrUrl: t.union([text, t.null]), endsUtc: text },
  ),
  target_ineligible: row(
    422,
    'The target cannot become the apex, for all of `reasons`. Name another one; `force` does not change it.',
    { target: text, reasons: texts },
  ),
  no_candidate: row(
    422,
    'No town can become the apex; `rejections` has the reasons of each. Remove the reasons of one of them.',
    { rejections: t.readonlyArray(t.type({ town: text, reasons: texts })) },
  ),
  not_corroborated: row(
    422,
    'This host does not see the apex dark for `needed` probes in a row. Wait, or send `force`.',
    { apex: text, misses: t.number, needed: t.number },
  ),
} as const
