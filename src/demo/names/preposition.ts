/** Whether `w` takes an e before `word`: we Wrzosowie, we Florze. */
const takesWe = (word: string): boolean => /^[wf][^aeiouyóąę]/i.test(word)

/** Whether `z` takes an e before `word`: ze Starym, ze Zbroi, ze Wschodu. */
const takesZe = (word: string): boolean =>
  /^(?:[szśźż][^aeiouyóąęi]|w[sz]|mn)/i.test(word) && !/^(?:sz|rz|cz)[aeiouyóąę]/i.test(word)

export const withW = (word: string): string => `${takesWe(word) ? 'we' : 'w'} ${word}`

export const withZ = (word: string): string => `${takesZe(word) ? 'ze' : 'z'} ${word}`
