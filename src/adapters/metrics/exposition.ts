/** What an exposition needs of a registry of prom-client. */
interface Registry {
  readonly getMetricsAsArray: () => ReadonlyArray<{ readonly name: string }>
  readonly getSingleMetricAsString: (name: string) => Promise<string>
}

/** The exposition text of a registry. */
export interface Exposition {
  /** Forgets the text of a family, because one of its values changed. */
  readonly change: (family: string) => void
  readonly text: () => Promise<string>
}

/**
 * Keeps the text of the families that did not change since the last scrape: most series of a node stay as they
 * were, and prom-client takes about 4 µs to render one.
 *
 * @param kept - names of the families for which the caller calls `change` at each new value; the exposition renders
 *   every other family at each scrape
 */
export const exposition = (registry: Registry, kept: ReadonlySet<string>): Exposition => {
  const texts = new Map<string, Promise<string>>()
  const textOf = (family: string): Promise<string> => {
    const text = texts.get(family) ?? registry.getSingleMetricAsString(family)
    if (kept.has(family)) texts.set(family, text)
    return text
  }
  return {
    change: family => void texts.delete(family),
    text: async () => {
      const families = await Promise.all(registry.getMetricsAsArray().map(({ name }) => textOf(name)))
      return `${families.join('\n\n')}\n`
    },
  }
}
