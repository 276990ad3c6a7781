/** The sum of the samples of a metric with these labels, in the text of `/metrics`. */
export const sampleSum = (text: string, name: string, labels: Readonly<Record<string, string>>): number =>
  text
    .split('\n')
    .filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter(line => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
