/** The word for where a run of a list stands is the same in the terminal. */
export { runWord } from '@countersign/contract'
