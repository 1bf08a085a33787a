import { command } from '../../command/command.ts'

export const editCommand = command({
  words: ['edit'],
  about: 'Change an object in your editor',
  more: [
    'Opens what can be written of it in $GANTRY_EDITOR, $VISUAL or $EDITOR, else vi. What is not valid is opened again with what is wrong at the top. If somebody else changed it meanwhile, nothing is written, and your text is kept.',
  ],
  args: [
    { name: 'KIND', about: 'a kind, or KIND/NAME', offer: 'kinds' },
    { name: 'NAME', about: 'which', optional: true, offer: { objects: 'of_kind' } },
  ],
  flags: [],
  examples: [
    { line: 'gantry edit workload web', about: 'In your editor' },
    { line: 'gantry edit route/shop', about: 'The same in one word' },
  ],
})
