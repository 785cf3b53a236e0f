/** Double brackets in a text say how it sounds. */
import { changeProgram } from './changed-program.ts'

changeProgram(import.meta.url, { file: 'speaking.ts', from: ".replaceAll(/\\[(?=\\[)/g, '[ ')", to: '' })
