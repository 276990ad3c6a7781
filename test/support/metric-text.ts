/** The sum of the samples of a metric that carry these labels, from the text that a host answers. */
export const sampleSum = (text: string, name: string, labels: Readonly<Record<string, string>>): number =>
  text
    .split('\n')
    .filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter(line => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
