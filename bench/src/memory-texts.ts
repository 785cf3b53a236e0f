/** Texts as a memory holds them: from a few words to a long paragraph, in an order that mixes them. */

const sentences = [
  'Call the dentist on Monday.',
  'Anna prefers the window seat and is allergic to peanuts.',
  'The boiler was repaired in March; the invoice went to the landlord, who has not answered yet.',
  'We agreed that the report is due on the last Friday of the month and that Tom writes the summary.',
  'Milk, eggs, bread.',
  'The flight to Oslo was moved to the evening, so the hotel has to be told that we arrive late.',
] as const

export function memoryTexts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const length = 1 + ((index * 7) % 5)
    const parts = Array.from({ length }, (_, part) => sentences[(index * 5 + part * 3) % sentences.length])
    return `${parts.join(' ')} (${index})`
  })
}
