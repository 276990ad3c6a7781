import { nameFigures } from '#test/bench/names.js'
import { figureTable } from '#test/bench/figure.js'
console.log(figureTable(nameFigures()))
