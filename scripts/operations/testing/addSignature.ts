import { COMMANDS, type CommandOptions, findUsage } from '../commands.ts'

/** Returns the options of a command, with an operator and a reason if the command writes. */
export const addSignature = (words: readonly string[], options: CommandOptions = {}): CommandOptions =>
  COMMANDS[findUsage(words) ?? '']?.writes ? { by: 'Awa', because: 'a test', ...options } : options
