import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { printTrust, type TrustReport } from './trust.js'

const key = 'integrations.forge.api_url'
const report = (over: Partial<TrustReport> = {}): TrustReport => ({
  state: '/srv/state',
  dryRun: false,
  addresses: [{ key, before: 'https://old', after: 'https://new\u001b[2K', givenIn: null, changed: true }],
  folders: [{ folder: '/srv/works', change: 'allowed' }],
  ...over,
})

const print = (told: TrustReport, json = false) => {
  const [out, err]: [Array<string>, Array<string>] = [[], []]
  printTrust(told, { json }, { out: text => out.push(text), err: text => err.push(text), isTerminal: false })
  return { out, err }
}

describe('what kronika trust prints', () => {
  it('is the old and the new address, each folder, and what to do next', () => {
    deepEqual(print(report()), {
      out: [`${key}: https://old -> https://new\\u001b[2K`, '/srv/works: allowed'],
      err: ['Restart the host to use it.'],
    })
    deepEqual(print(report({ dryRun: true })).err, ['Nothing was changed, since this is a dry run.'])
  })

  it('says what is as before, not pinned yet, or given', () => {
    const of = (before: string | null, after: string | null, givenIn: string | null, changed: boolean) =>
      print(report({ addresses: [{ key, before, after, givenIn, changed }], folders: [] }))
    deepEqual(of('https://a', 'https://a', null, false), {
      out: [`${key}: https://a, as before`],
      err: ['Nothing to accept.'],
    })
    equal(of(null, 'https://a', null, true).out[0], `${key}: not pinned -> https://a`)
    equal(
      of('https://a', 'https://a', 'SVC_FORGE_URL', false).out[0],
      `${key}: https://a, given in SVC_FORGE_URL`,
    )
  })

  it('is the report itself as JSON', () => {
    const { out, err } = print(report(), true)
    deepEqual([JSON.parse(out.join('')), err], [report(), []])
  })
})
