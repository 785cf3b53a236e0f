/** Owns the list of the tools that only compute. */
import type { ToolDefinition } from '../definition.ts'
import { addToDate } from './add-to-date.ts'
import { arrayOperations } from './array-operations.ts'
import { calculate } from './calculate.ts'
import { calculatePercentage } from './calculate-percentage.ts'
import { calculateStatistics } from './calculate-statistics.ts'
import { changeCase } from './change-case.ts'
import { compareText } from './compare-text.ts'
import { convertColor } from './convert-color.ts'
import { convertLength } from './convert-length.ts'
import { convertNumberBase } from './convert-number-base.ts'
import { convertTemperature } from './convert-temperature.ts'
import { convertTimeZone } from './convert-time-zone.ts'
import { convertUnits } from './convert-units.ts'
import { convertWeight } from './convert-weight.ts'
import { countText } from './count-text.ts'
import { countWords } from './count-words.ts'
import { createTable } from './create-table.ts'
import { dateAdd } from './date-add.ts'
import { dateDiff } from './date-diff.ts'
import { deduplicate } from './deduplicate.ts'
import { encodeDecode } from './encode-decode.ts'
import { extractEmails } from './extract-emails.ts'
import { extractFromText } from './extract-from-text.ts'
import { extractNumbers } from './extract-numbers.ts'
import { extractUrls } from './extract-urls.ts'
import { findInText } from './find-in-text.ts'
import { formatDate } from './format-date.ts'
import { formatJson } from './format-json.ts'
import { generateCsv } from './generate-csv.ts'
import { generatePassword } from './generate-password.ts'
import { generateRandomString } from './generate-random-string.ts'
import { generateUuid } from './generate-uuid.ts'
import { getCurrentDatetime } from './get-current-datetime.ts'
import { getCurrentTime } from './get-current-time.ts'
import { hashText } from './hash-text.ts'
import { joinText } from './join-text.ts'
import { parseCsv } from './parse-csv.ts'
import { pickRandom } from './pick-random.ts'
import { randomNumber } from './random-number.ts'
import { regex } from './regex.ts'
import { removeDiacritics } from './remove-diacritics.ts'
import { replaceText } from './replace-text.ts'
import { rollDice } from './roll-dice.ts'
import { slugifyText } from './slugify-text.ts'
import { sortList } from './sort-list.ts'
import { splitText } from './split-text.ts'
import { statistics } from './statistics.ts'
import { systemInfo } from './system-info.ts'
import { testRegex } from './test-regex.ts'
import { transformText } from './transform-text.ts'
import { truncateText } from './truncate-text.ts'
import { validate } from './validate.ts'
import { validateEmail } from './validate-email.ts'
import { validateUrl } from './validate-url.ts'
import { wrapText } from './wrap-text.ts'

export const utilityTools: readonly ToolDefinition[] = [
  calculate,
  generateUuid,
  getCurrentDatetime,
  getCurrentTime,
  systemInfo,
  changeCase,
  compareText,
  encodeDecode,
  findInText,
  hashText,
  joinText,
  regex,
  removeDiacritics,
  replaceText,
  slugifyText,
  splitText,
  transformText,
  truncateText,
  wrapText,
  addToDate,
  dateAdd,
  dateDiff,
  formatDate,
  convertColor,
  convertLength,
  convertNumberBase,
  convertTemperature,
  convertTimeZone,
  convertUnits,
  convertWeight,
  formatJson,
  generateCsv,
  parseCsv,
  generatePassword,
  generateRandomString,
  pickRandom,
  randomNumber,
  rollDice,
  extractEmails,
  extractFromText,
  extractNumbers,
  extractUrls,
  testRegex,
  validate,
  validateEmail,
  validateUrl,
  arrayOperations,
  createTable,
  deduplicate,
  sortList,
  calculatePercentage,
  calculateStatistics,
  countText,
  countWords,
  statistics,
]
