/** A stand-in: servings, units and print of a card, started once for the cards that are there, and again by `initFeatures` [C]. */
window.WPRecipeMaker = {
  quantities: {
    init() {
      for (const span of document.querySelectorAll('span.wprm-recipe-servings')) {
        const input = document.createElement('input');
        Object.assign(input, { className: 'wprm-recipe-servings', type: 'number', value: span.textContent });
        input.setAttribute('aria-label', 'Servings');
        span.replaceWith(input);
      }
    },
  },
  recipe: { initFeatures: () => window.WPRecipeMaker.quantities.init() },
};

function draw(card) {
  const recipe = window.wprm_recipes[`recipe-${card.dataset.recipeId}`];
  const isMetric = card.dataset.metric === 'yes';
  const times = Number(card.querySelector('input.wprm-recipe-servings').value) / recipe.servings;
  const lines = card.querySelectorAll('.wprm-recipe-ingredient');
  recipe.ingredients.forEach(({ amount, unit, name }, at) => {
    const [whole, part = '0'] = amount.split(' ');
    const [over, under = '1'] = part.split('/');
    const many = times * (Number(whole) + Number(over) / Number(under));
    const isCups = unit === 'cups' && isMetric;
    lines[at].textContent = `${isCups ? many * 120 : many} ${isCups ? 'g' : unit} ${name.replaceAll(/<[^>]+>/g, '')}`;
  });
  card.querySelector('.wprm-recipe-print').search =
    `?wprm_print=${card.dataset.recipeId}&servings=${times * recipe.servings}`;
}

document.addEventListener('input', ({ target }) => {
  if (target.matches('input.wprm-recipe-servings')) draw(target.closest('.wprm-recipe-container'));
});
document.addEventListener('click', ({ target }) => {
  if (!target.matches('.wprm-unit-conversion')) return;
  const card = target.closest('.wprm-recipe-container');
  card.dataset.metric = card.dataset.metric === 'yes' ? 'no' : 'yes';
  draw(card);
});
if (document.readyState === 'loading')
  document.addEventListener('DOMContentLoaded', window.WPRecipeMaker.recipe.initFeatures);
else window.WPRecipeMaker.recipe.initFeatures();
