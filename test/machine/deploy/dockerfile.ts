/** A stage of a Dockerfile: its base, its name, and its instructions in order. */
export interface ImageStage {
  readonly base: string
  readonly name: string
  readonly steps: ReadonlyArray<ImageStep>
}

export type ImageStep =
  | { readonly kind: 'run'; readonly command: string }
  | {
      readonly kind: 'copy'
      readonly from: string | null
      readonly sources: ReadonlyArray<string>
      readonly to: string
    }
  | { readonly kind: 'workdir'; readonly path: string }
  | { readonly kind: 'env'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'user'; readonly uid: string; readonly gid: string }
  | { readonly kind: 'entrypoint' | 'health'; readonly argv: ReadonlyArray<string> }

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter(word => word !== '')

/** An argument list in JSON, the only form without a shell. Throws for any other. */
const argvOf = (text: string): ReadonlyArray<string> => {
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed)) throw new Error(`no argument list: ${text}`)
  return parsed.map(String)
}

const pairOf = (word: string): readonly [string, string] => {
  const at = word.indexOf('=')
  return [word.slice(0, at), word.slice(at + 1)]
}

/** Throws for an instruction that this cannot carry out, so that none is left out in silence. */
const stepOf = (name: string, text: string): ImageStep => {
  switch (name) {
    case 'RUN':
      return { kind: 'run', command: text }
    case 'COPY': {
      const words = wordsOf(text)
      const from = words[0]?.startsWith('--from=') === true ? words[0].slice('--from='.length) : null
      const paths = from === null ? words : words.slice(1)
      if (paths.some(path => path.startsWith('--'))) throw new Error(`unknown flag: COPY ${text}`)
      return { kind: 'copy', from, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' }
    }
    case 'WORKDIR':
      return { kind: 'workdir', path: text }
    case 'ENV':
      return { kind: 'env', values: Object.fromEntries(wordsOf(text).map(pairOf)) }
    case 'USER': {
      const [uid = '', gid = uid] = text.split(':')
      return { kind: 'user', uid, gid }
    }
    case 'ENTRYPOINT':
      return { kind: 'entrypoint', argv: argvOf(text) }
    case 'HEALTHCHECK':
      return { kind: 'health', argv: argvOf(text.replace(/^.*?CMD\s+/, '')) }
    default:
      throw new Error(`unknown instruction: ${name} ${text}`)
  }
}

/** The stages of a Dockerfile, in order. */
export const stagesOf = (dockerfile: string): ReadonlyArray<ImageStage> => {
  const stages: Array<ImageStage & { readonly steps: Array<ImageStep> }> = []
  for (const line of dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')) {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? []
    if (name === '') continue
    const [base = '', , stage = ''] = wordsOf(text)
    if (name === 'FROM') stages.push({ base, name: stage, steps: [] })
    else stages.at(-1)?.steps.push(stepOf(name, text))
  }
  return stages
}

/** The packages that `apt-get install` of a command names. */
export const packagesOf = (command: string): ReadonlyArray<string> =>
  wordsOf(/apt-get install (.*?)(?: &&|$)/.exec(command)?.[1] ?? '').filter(word => !word.startsWith('-'))
