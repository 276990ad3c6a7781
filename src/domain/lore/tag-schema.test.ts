import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { isKnownTag, tagKeys, tagRule, tagsOfType, universalTags } from './tag-schema.js'

describe('the tag schema', () => {
  it('gives a key the rule of the type that carries it', () => {
    equal(tagRule('gameid', 'Mapa')?.multi, false)
    equal(tagRule('gameid', 'Gracz')?.multi, true)
    equal(tagRule('chat', 'NPC')?.multi, false)
    equal(tagRule('alias', 'Gracz')?.dated, true)
    equal(tagRule('drzwi', 'NPC'), null)
  })

  it('lists each key once', () => {
    equal(new Set(tagKeys).size, tagKeys.length)
    deepEqual(tagsOfType('Region'), ['region'])
    equal(universalTags.length, 11)
  })

  it('knows a key of any type and no other', () => {
    equal(isKnownTag('klucz_api'), true)
    equal(isKnownTag('kolor'), false)
  })
})
