import type { Gender } from './cases.js'

/** Feminine stems of verbs with an irregular vowel in the masculine: wszedł – weszła. */
const motion: Readonly<Record<string, string>> = {
  wszedł: 'weszł',
  zszedł: 'zeszł',
  podszedł: 'podeszł',
  odszedł: 'odeszł',
  obszedł: 'obeszł',
  nadszedł: 'nadeszł',
  rozszedł: 'rozeszł',
}

const stemOf = (masculine: string): string => {
  const known = motion[masculine]
  if (known !== undefined) return known
  if (masculine.endsWith('szedł')) return `${masculine.slice(0, -5)}szł`
  if (masculine.endsWith('ął')) return `${masculine.slice(0, -2)}ęł`
  return masculine.replace(/ó([szgd]ł)$/, 'o$1')
}

/** The past tense, third person, of a verb given in the masculine singular, agreeing with `gender`. */
export const past = (masculine: string, gender: Gender): string => {
  switch (gender) {
    case 'person':
    case 'thing':
      return masculine
    case 'feminine':
      return `${stemOf(masculine)}a`
    case 'neuter':
      return `${stemOf(masculine)}o`
    case 'plural':
      return `${stemOf(masculine)}y`
  }
}
