import { deepEqual, ok } from 'node:assert/strict'
import { nameKey } from '#protocol/atoms.js'
import { possibleForms, startOfKey } from './resolve.js'

describe('the possible forms of a name', () => {
  const formsIn = (name: string, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const { has, starts } = possibleForms(name)
    return texts.filter(text => {
      const key = nameKey(text)
      if (has(key)) ok(starts.has(startOfKey(key) ?? ''), text)
      return has(key)
    })
  }
  it('are its words in other cases, also without Polish marks', () => {
    deepEqual(
      formsIn('Kupiec Żbik', ['Kupca Żbika', 'KUPCOWI ŻBIKOWI', 'kupca zbika', 'Kupiec Żbik', 'Kupca Wilka']),
      ['Kupca Żbika', 'KUPCOWI ŻBIKOWI', 'kupca zbika', 'Kupiec Żbik'],
    )
  })
  it('are the same with another apostrophe', () => {
    deepEqual(formsIn('O’Hara', ["O'Hary", 'O`Hary', 'Hary']), ["O'Hary", 'O`Hary'])
  })
  it('are parts of it too, in mixed cases, and nothing longer', () => {
    const parts = ['Żbika', 'Janem', 'Jana Żbika', 'Kupca Żbika']
    deepEqual(formsIn('Kupiec Jan Żbik', [...parts, 'Jana Żbika z Portu']), parts)
  })
  it('are none for a text without words', () => {
    deepEqual(formsIn('—', ['—', 'a', '']), [])
    deepEqual(formsIn('Jan', ['', '…']), [])
  })
})
