import { doesNotMatch, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { dispatchKinds } from '#protocol/chat/dispatch.js'
import { readKind, usableValues } from './check-dispatch.js'
import { describeDispatchRefusal } from './descriptions.js'

const rules = { windowMs: 5_000, nearDeadlineMs: 3_000 }

describe('the sentence of a refused dispatch', () => {
  it('says of each missing variable what makes it usable', () => {
    for (const kind of dispatchKinds) {
      const reading = readKind(kind, {})
      if (reading._tag !== 'VarsMissing') throw new Error(`${kind} needs no variable`)
      const text = describeDispatchRefusal({ _tag: 'Undispatchable', reading }, rules)
      for (const name of reading.missing) equal(text.includes(`${name} (${usableValues[name]})`), true)
    }
    const reading = readKind('query', { SVC_QUERY_CHAT_ID: '5' })
    if (reading._tag !== 'VarsMissing') throw new Error('the intent is not missed')
    match(
      describeDispatchRefusal({ _tag: 'Undispatchable', reading }, rules),
      /SVC_QUERY_INTENT \(one of status, open, pu\)/,
    )
  })

  it('asks for the unit of the time only where no delay explains the age', () => {
    const sentence = (ageMs: number): string =>
      describeDispatchRefusal({ _tag: 'Stale', kind: 'query', ageMs }, rules)
    match(sentence(1_794_042_573_010), /in milliseconds/)
    doesNotMatch(sentence(86_400_000), /in milliseconds/)
  })
})
