import { epochDay, instantText } from '../calendar.js'
import type { ToldSession } from './session-text.js'

/** Sessions older than this day were recorded as closed by adoption (FORMATS 9, step 9). */
export const adoptedOn = epochDay(2024, 1, 2)

const paidOf = ({ amount, of, from, to }: ToldSession['effects']['transfers'][number]) => ({
  amount,
  denomination: of,
  source: from,
  destination: to,
})

/** The line of the close ledger of a closed session (LAYOUT). */
export const closeLine = ({ plan, effects }: ToldSession): string => {
  const adopted = plan.day < adoptedOn
  const line = {
    header: plan.header,
    op: 'close',
    at: adopted ? instantText(adoptedOn, 12 * 60) : instantText(plan.day + 2, 20 * 60),
    by: adopted ? 'adoption' : (plan.narrators[0]?.nick ?? ''),
    source: adopted ? 'adoption' : 'close',
    // What adoption records is never executed again (docs/spec/adoption.md#formats-9).
    transfers: adopted ? [] : effects.transfers.map(paidOf),
    intel: adopted ? [] : effects.intel.map(({ target }) => ({ target })),
  }
  return `${JSON.stringify(line)}\n`
}
