/** The folder of a run with the transpiled sources, from the root of the project. */
export const outputFolderOf = (pid: number): string => `var/transpiled-${pid}`

/** The source of a transpiled file; another file is returned as it is. */
export const sourceOf = (file: string): string =>
  file.replace(/\/var\/transpiled-\d{1,10}(\/.*)\.js$/, (_, path: string) => `${path}.ts`)
