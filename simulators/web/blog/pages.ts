import { type BlogRecipe, blogRecipes } from './recipes.ts';

export const ANCHOR = 'recipe-card';

const STYLE = `
:root{color-scheme:light dark;--ink:#2b2420;--faint:#6b5f57;--paper:#fffdf9;--card:#fff;--line:#eadfd3;--accent:#a4402b}
@media (prefers-color-scheme:dark){:root{--ink:#f3ece5;--faint:#b9aca1;--paper:#1d1916;--card:#27211d;--line:#41372f;--accent:#ef9a83}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:18px/1.6 Georgia,serif}
main,header{max-width:720px;margin:0 auto;padding:16px}header a{color:var(--accent);font-size:26px;font-weight:700;text-decoration:none}
img{display:block;width:100%;height:auto;border-radius:12px;aspect-ratio:4/5;object-fit:cover}
h1{font-size:32px;line-height:1.2}.faint{color:var(--faint)}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:16px;padding:0;list-style:none}
.grid a{color:inherit;text-decoration:none;font-weight:700;line-height:1.3}.grid img{margin-bottom:8px}
.card{margin:32px 0;padding:20px;background:var(--card);border:1px solid var(--line);border-radius:12px}.card h2{margin-top:0}
.save{margin:24px 0}li{margin:4px 0}`;

export interface RecipePage {
  url: string;
  recipe: BlogRecipe;
  /** The form as the hub printed it, filled in; empty: the blog has none. */
  form: string;
}

/** All recipes in one file; a WordPress has an index of several. */
export function sitemap(url: string): string {
  const pages = blogRecipes.map(({ slug }) => `<url><loc>${url}/${slug}/</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset>${pages.join('')}</urlset>`;
}

export function homePage(): string {
  const cards = blogRecipes.map(
    ({ slug, title }) =>
      `<li><a href="/${slug}/"><img src="/pictures/demo/${slug}.svg" alt="" loading="lazy">${escapeHtml(title)}</a></li>`,
  );
  return page('The Golden Spoon', `<h1>Newest recipes</h1><ul class="grid">${cards.join('\n')}</ul>`);
}

export function recipePage({ url, recipe, form }: RecipePage): string {
  const { slug, title, intro, minutes, ingredients, steps } = recipe;
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Recipe',
    name: title,
    description: intro,
    image: [pictureOf(url, slug)],
    recipeCategory: recipe.category,
    totalTime: `PT${minutes}M`,
    recipeYield: recipe.yield,
    recipeIngredient: ingredients,
    recipeInstructions: steps.map((text) => ({ '@type': 'HowToStep', text })),
  };
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(intro)}</p>
<img src="/pictures/demo/${slug}.svg" alt="${escapeHtml(title)}" width="640" height="800">
${form === '' ? '' : `<div class="save">${form}</div>`}
<section class="card" id="${ANCHOR}">
<h2>${escapeHtml(title)}</h2>
<p class="faint">${minutes} minutes · ${escapeHtml(recipe.yield)}</p>
<h3>Ingredients</h3>
<ul>${ingredients.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}</ul>
<h3>Instructions</h3>
<ol>${steps.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}</ol>
</section>
<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  );
}

export function resultPage(says: string, back: string): string {
  return page('Saved', `<h1>${escapeHtml(says)}</h1><p><a href="${escapeHtml(back)}">Back to the recipe</a></p>`);
}

export function pictureOf(url: string, slug: string): string {
  return `${new URL(url).origin}/pictures/demo/${slug}.svg`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><a href="/">The Golden Spoon</a></header>
<main>
${content}
</main>
</body>
</html>`;
}
