import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import { headingsOfPlace, placeOfHeading, subjectOf } from './spoken.js'

describe('the places of scenes', () => {
  const lore = worldOf({
    'encje/indeks.md': [
      '### Zamorze\n- @typ: Lokacja\n',
      '### Zamorze\n- @typ: Mapa\n',
      '### Port\n- @typ: Mapa\n',
      '### Brama\n- @typ: Lokacja\n',
    ].join('\n'),
  })
  const subjects = lore.entities.all.map(subjectOf)

  it('are locations before maps of the same name, and the last part of a heading that is a place', () => {
    const placeAt = (heading: string) => {
      const place = placeOfHeading(lore, heading)
      return place === null ? null : `${place.type} ${place.name}`
    }
    deepEqual(['Zamorze', 'Zamorze/Brama', 'Port', 'Zamorze/Nikąd', 'Nikąd'].map(placeAt), [
      'Lokacja Zamorze',
      'Lokacja Brama',
      'Mapa Port',
      'Lokacja Zamorze',
      null,
    ])
  })

  it('are found for a location and for a map of the same name', () => {
    equal(subjects.length, 4)
    for (const subject of subjects)
      deepEqual(
        headingsOfPlace(lore, subject, ['Zamorze', 'Port', 'Brama']),
        [subject.name],
        `${subject.entity?.type} ${subject.name}`,
      )
  })
})
