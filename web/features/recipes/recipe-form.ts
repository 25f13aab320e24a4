import { checkMessage } from '#contract/message-text.ts';
import { RecipeInput } from '#contract/recipes.ts';

/** Problems are shown before the server is asked. */
export const RecipeForm = RecipeInput.check((context) => {
  const { messageText } = context.value;
  if (messageText.trim() === '') return;
  const buttons = [{ title: 'Get the recipe', url: 'https://recipe.example' }];
  for (const { severity, message } of checkMessage({ text: messageText, buttons })) {
    if (severity === 'error') {
      context.issues.push({ code: 'custom', input: context.value, path: ['messageText'], message });
    }
  }
});
