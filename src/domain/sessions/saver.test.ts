import { deepEqual, equal } from 'node:assert/strict'
import { worldOf } from '#test/support/world.js'
import { logSlug, reporterOf, saveDateOf, slugOf } from './session-answers.js'

describe('the address of a transcript', () => {
  it('gives the day it was saved and the slug of who saved it', () => {
    const read = (name: string) => {
      const slug = logSlug(`https://logi.example/2024/${name}`)
      return slug === null ? null : [slug.saved, slug.saver]
    }
    deepEqual(read('2024-05-04-anna-wielka'), ['2024-05-04', 'anna-wielka'])
    deepEqual(read('wyprawa-2024-05-04_21-30_Anna_Wielka.txt?x=1'), ['2024-05-04', 'anna-wielka'])
    deepEqual(read('anna-wielka-2024-05-04.html'), ['2024-05-04', 'anna-wielka'])
    deepEqual(read('2024-05-04-%C5%BB%C3%B3%C5%82w'), ['2024-05-04', 'zolw'])
    equal(read('2024-13-04-anna'), null)
    equal(read('wyprawa'), null)
    equal(read('%E0%A4%A'), null)
  })
  it('folds names to letters of the base alphabet', () => {
    equal(slugOf('  Żółw z Łąki, II'), 'zolw-z-laki-ii')
  })
  it('names the reporter where exactly one Postać has the slug', () => {
    const { sessions, names } = worldOf({
      'encje/indeks.md':
        '### Żółw\n- @typ: Postać\n- @alias: Skorupa\n\n### Anna\n- @typ: Postać\n\n### ANNA.\n- @typ: Postać\n\n### Ork\n- @typ: NPC\n',
      'a.md': ['skorupa', 'anna', 'ork']
        .map((saver, at) => `### 2024-05-0${at + 1}, T, S\n\nLogi: https://a.pl/2024-05-09-${saver}\n`)
        .join('\n'),
    })
    deepEqual(
      sessions.all.map(session => [saveDateOf(session), reporterOf(session, names)]),
      [
        ['2024-05-09', 'Żółw'],
        ['2024-05-09', null],
        ['2024-05-09', null],
      ],
    )
  })
})
