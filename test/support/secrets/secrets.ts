/** A search for secrets: registers secrets, and records where they were found. */
export interface PlantedSecrets {
  /**
   * Registers a secret under a public name; returns false for a text that is too short or too uniform to
   * search for.
   */
  readonly plant: (name: string, secret: string) => boolean
  /** Searches an output of a host; a secret found in it is a leak. */
  readonly told: (output: string, text: string) => void
  /** `<secret> in <output>`, each once. */
  readonly leaks: () => ReadonlyArray<string>
  /** How much was searched for, and where: a run that registered or searched nothing proves nothing. */
  readonly counts: () => { readonly secrets: number; readonly outputs: number; readonly chars: number }
}

/** A secret is found by its first characters, and only inside long words. */
const prefixChars = 12
const secretCharsMin = 24
const kindsMin = 8

/** More characters of a secret are not needed to find it. */
export const secretCharsMax = 4096

const longWord = /[\w+/=.~-]{24,}/g

/** The longest part of a text without blanks and quotes, which is what the search looks for. */
const searchable = (text: string): string | null => {
  const words = text.match(longWord) ?? []
  const longest = words.toSorted((one, other) => other.length - one.length)[0]?.slice(0, secretCharsMax)
  return longest === undefined || new Set(longest).size < kindsMin ? null : longest
}

interface Planted {
  readonly name: string
  readonly secret: string
}

/** A separate search; the tests of this process share `secrets`. */
export const searchFor = (): PlantedSecrets => {
  const known = new Map<string, string>()
  const byPrefix = new Map<string, Array<Planted>>()
  const leaks = new Set<string>()
  const counts = { secrets: 0, outputs: 0, chars: 0 }
  const foundIn = (word: string): ReadonlyArray<Planted> => {
    const found: Array<Planted> = []
    for (let at = 0; at + secretCharsMin <= word.length; at += 1)
      for (const one of byPrefix.get(word.slice(at, at + prefixChars)) ?? [])
        if (word.startsWith(one.secret, at)) found.push(one)
    return found
  }
  return {
    plant: (name, text) => {
      const secret = searchable(text)
      if (secret === null) return false
      if (known.has(secret)) return true
      known.set(secret, name)
      const prefix = secret.slice(0, prefixChars)
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { name, secret }])
      counts.secrets += 1
      return true
    },
    told: (output, text) => {
      counts.outputs += 1
      counts.chars += text.length
      for (const [word] of text.matchAll(longWord))
        for (const { name } of foundIn(word)) leaks.add(`${name} in ${output}`)
    },
    leaks: () => [...leaks],
    counts: () => ({ ...counts }),
  }
}

/**
 * Mocha requires some test files and imports others, so this module may be loaded twice: the search belongs
 * to the process.
 */
const key: unique symbol = Symbol.for('kronika.secrets')
const holder: typeof globalThis & { [key]?: PlantedSecrets } = globalThis

/** The search of this run: harnesses register what they hand out and pass on what their hosts wrote (S34). */
export const secrets: PlantedSecrets = holder[key] ?? searchFor()
holder[key] = secrets
