/** Editors that read lines: one file, as the reader and the foods it knows are tens of kilobytes. */
export { PlanIngredientsPage } from '#web/features/meal-plans/PlanIngredientsPage.tsx';
export { IngredientsEditor } from '#web/features/recipes/ingredients/IngredientsEditor.tsx';
