import { ok } from 'node:assert/strict'
import { it } from 'mocha'
import { refusals } from '#protocol/refusal.js'
import { checkRefused, fieldOf } from './bench.js'
import type { Check } from './row-contract.js'

const nobody = 'Nikt taki'

/** What the row answers where its path names nothing (D23). */
export const checkMissing: Check = (subject, bench) => {
  const { row, sample } = subject
  const absent = row.refusals.filter(tag => refusals[tag].status === 404)
  if (!row.path.includes('{') || row.write) return

  it('is 404 by name for what there is not', async () => {
    const path = Object.fromEntries(Object.keys(sample.path).map(name => [name, nobody]))
    const reply = await bench().ask({ ...subject, sample: { ...sample, path } })
    const error = String(fieldOf(reply, 'error'))
    checkRefused(reply, 404, error)
    ok(
      absent.some(tag => tag === error),
      `${error} is none of ${absent.join(', ')}`,
    )
  })
}
