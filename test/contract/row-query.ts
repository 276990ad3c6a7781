import { equal, notEqual } from 'node:assert/strict'
import { it } from 'mocha'
import { queryOf } from '#protocol/route.js'
import {
  checkRefused,
  collectNeededPairs,
  fieldOf,
  goodPairs,
  goodPairsTogether,
  isOrdinary,
} from './bench.js'
import type { Check } from './row-contract.js'

/** A bad value of each kind of parameter, by the name of its codec; null: every text is taken. */
const badValues: Readonly<Record<string, string | null>> = {
  Directive: 'grupa',
  DeliveryOperation: 'grupa',
  Cursor: 'HEAD.0.0.0',
  Path: '../indeks.md',
  Text: null,
  Nick: ' ',
  GameId: ' ',
  Name: ' ',
  Limit: null,
  PageLimit: null,
  Offset: null,
  Flag: 'może',
  Sequence: '-1',
  Day: '2026-02-30',
  DayOrInstant: '2026-13-01T00:00:00Z',
  EntityType: 'Smok',
  Status: 'Zaginiony',
  Month: '2026-13',
  Outerior: 'chyba',
  TuningSet: 'brak',
  TuningGrade: 'pewna',
  TuningOrigin: 'nikt',
  TuningSplit: 'test',
  TuningFormat: 'xml',
  // Each has an error of its own: src/http/handlers/search.test.ts.
  SearchWords: 'judged',
  SearchScope: 'judged',
  SearchKind: 'judged',
  SearchDiegesis: 'judged',
  SearchDay: 'judged',
  // src/http/handlers/samples/labelled.test.ts.
  SampleClass: 'judged',
  SampleGrades: 'judged',
  SampleEntity: 'judged',
  // src/http/handlers/models.test.ts.
  Surface: 'judged',
}

/** Texts that a parameter which is never refused takes. */
const oddValues = ['', '-1', 'nie wiem, co to', '\u{1F409}']

const takesAnything: Check = (subject, bench) => {
  for (const [name, codec] of Object.entries(queryOf(subject.row))) {
    if (badValues[codec.name] !== null) continue
    it(`never refuses a value of ${name}`, async () => {
      for (const value of oddValues) {
        const reply = await bench().ask(subject, [...collectNeededPairs(subject, name), [name, value]])
        // A text may name nobody; it is never of the wrong kind.
        notEqual(reply.status, 400, `${name}=${value}: ${reply.text}`)
      }
    })
  }
}

const refusesBadValues: Check = (subject, bench) => {
  for (const [name, codec] of Object.entries(queryOf(subject.row))) {
    const bad = badValues[codec.name]
    if (bad === null || bad === 'judged') continue
    it(`refuses a bad value of ${name} by name`, async () => {
      if (bad === undefined) throw new Error(`no bad value is known for ${codec.name}: add it to badValues`)
      for (const value of [bad, '']) {
        const reply = await bench().ask(subject, [...collectNeededPairs(subject, name), [name, value]])
        checkRefused(reply, 400, 'ParameterInvalid')
        equal(fieldOf(reply, 'parameter'), name)
      }
    })
  }
}

/** What the row makes of its query (A 4.1.5, D25). */
export const query: Check = (subject, bench, offencesOf) => {
  const names = Object.keys(queryOf(subject.row))

  it('ignores parameters that it does not know', async () => {
    const plain = await bench().ask(subject)
    const unknown = [
      ...collectNeededPairs(subject),
      ['nieznany', '1'],
      ['limit[]', '1'],
      ['nieznany', '2'],
    ] as const
    const reply = await bench().ask(subject, unknown)
    isOrdinary(subject, reply)
    equal(reply.text, plain.text)
    equal(reply.headers.etag, plain.headers.etag)
  })

  if (names.length > 0)
    it('takes a good value of each parameter, alone and all together', async () => {
      const isDry = ([name]: readonly [string, string]): boolean => name === 'dryRun'
      for (const pair of goodPairs(subject))
        isOrdinary(
          subject,
          await bench().ask(subject, [...collectNeededPairs(subject, pair[0]), pair]),
          isDry(pair),
        )
      isOrdinary(
        subject,
        await bench().ask(subject, goodPairsTogether(subject)),
        goodPairs(subject).some(isDry),
      )
    })

  if (names.includes('dryRun'))
    it('refuses other spellings of dryRun', async () => {
      for (const name of ['dryrun', 'dry_run', 'DRY-RUN']) {
        const reply = await bench().ask(subject, [...collectNeededPairs(subject), [name, 'true']])
        checkRefused(reply, 400, 'ParameterInvalid')
        equal(fieldOf(reply, 'parameter'), name)
      }
    })

  refusesBadValues(subject, bench, offencesOf)
  takesAnything(subject, bench, offencesOf)

  for (const [name, value] of goodPairs(subject))
    it(`refuses ${name} given twice`, async () => {
      const twice = [...collectNeededPairs(subject, name), [name, value], [name, value]] as const
      const reply = await bench().ask(subject, twice)
      checkRefused(reply, 400, 'ParameterInvalid')
      equal(fieldOf(reply, 'parameter'), name)
    })
}
