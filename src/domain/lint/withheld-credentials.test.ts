import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { Instant } from '#protocol/atoms.js'
import { doctor } from '#src/cli/checkout/doctor.js'
import { integrityOf } from '#src/domain/lore/finding.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import { testFront } from '#test/support/front.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import { freshLintAnswer } from './claim-lint.js'

const secret = 'LEAKED'.repeat(7)
const values = {
  session: `sess_${secret}`,
  'api key': `apik_${secret}`,
  fleet: `fsess_${secret}.${secret}.${secret}`,
  named: `named_0123456789abcdef.${secret}`,
  address: `https://kto:${secret}@dom.example/x`,
  webhook: `https://chat.example/api/webhooks/12/${secret}`,
} as const

const worldWith = (value: string) =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': `## Gracz\n### Ola\n- @rola: ${value}\n- @gameid: ${value}\n- @${value}: 1\n`,
    'encje/indeks.md': [
      '## NPC',
      '### Orrin',
      ...['typ', 'status', 'lokacja', 'należy_do', 'grupa', 'ref', 'plik', 'drzwi'].map(
        tag => `- @${tag}: ${value}`,
      ),
      '',
    ].join('\n'),
    'sesje/a.md': `### 2026-05-10, Most, ${value}\n\n- @Lokacje:\n    - ${value}\n- @PU:\n    - ${value}: 1\n`,
  })

const printDoctor = async (world: ReturnType<typeof worldWith>, json: boolean): Promise<string> => {
  const said: Array<string> = []
  const output = { out: (text: string) => void said.push(text), err: () => undefined, isTerminal: false }
  const none = () => Promise.resolve([])
  await doctor(() => Promise.resolve(allFindings(world)), none, output)({ repo: '.', json })
  return said.join('\n')
}

describe('ADR 1023 a credential in the lore', () => {
  for (const [name, value] of Object.entries(values)) {
    it(`is in no finding, whatever else its line gets wrong: ${name}`, async () => {
      const world = worldWith(value)
      const kinds = new Set(allFindings(world).map(({ kind }) => kind))
      const wanted = ['CredentialInLore', 'UnknownRole', 'UnknownStatus', 'UnresolvedCharacter']
      deepEqual(
        wanted.filter(kind => !kinds.has(kind)),
        [],
      )
      for (const json of [false, true]) {
        const text = await printDoctor(world, json)
        equal(text.includes('LEAKED'), false, text)
      }
      const at = Instant.decode('2026-05-10T00:00:00Z')
      ok(at._tag === 'Right')
      equal(JSON.stringify(freshLintAnswer(world, at.right)).includes('LEAKED'), false)
    })

    it(`is in no integrity row: ${name}`, async () => {
      const front = await testFront({ snapshot: worldWith(value) })
      try {
        for (const row of ['/contributors/integrity', '/entities/integrity', '/sessions/integrity']) {
          const { text } = await front.client.ask(row)
          ok(text.includes('"Kind"'), row)
          equal(text.includes('LEAKED'), false, text)
        }
      } finally {
        await front.close()
      }
    })
  }

  it('costs a finding once, as long as it is held', () => {
    const [finding] = allFindings(worldWith(values.named))
    ok(finding !== undefined)
    equal(integrityOf(finding), integrityOf(finding))
    const { path: file } = sourceFile('encje/indeks.md', '')
    const told = {
      kind: 'UnknownTag',
      severity: 'info',
      file,
      line: 1,
      subject: 'Ola',
      suggestion: null,
    } as const
    const many = Array.from({ length: 20_000 }, (_, at) => ({
      ...told,
      reason: `Nikt nie nosi nazwy „Ola ${at}”.`,
    }))
    const before = process.cpuUsage()
    many.map(integrityOf)
    ok(process.cpuUsage(before).user < 400_000)
  })
})
