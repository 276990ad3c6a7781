/** The forms of a Polish noun: after 1, after 2 to 4, after 5 and more. */
export type CountedForms = readonly [one: string, few: string, many: string]

/**
 * A whole number with the form of its noun: „1 sesja”, „3 sesje”, „12 sesji”, „22 sesje”. 12 to 14 take the
 * third form like 112 to 114.
 */
export const formatCount = (count: number, [one, few, many]: CountedForms): string => {
  const [unit, teen] = [count % 10, Math.floor(count / 10) % 10 === 1]
  const form = count === 1 ? one : unit >= 2 && unit <= 4 && !teen ? few : many
  return `${count} ${form}`
}
