import { describe, expect, test } from 'vitest';
import { askedWord, captionWords } from './caption-words.ts';

describe('words that a caption asks for', () => {
  test.each([
    ['Comment PASTA and I will send you the recipe!', ['PASTA']],
    ['Creamy one-pot orzo 🍋 comment "orzo" for the recipe', ['orzo']],
    ['Comment below with the word “lemon cake” to get it in your DMs', ['lemon cake']],
    ['Want it? Drop a 🍝 below', ['🍝']],
    ['Type SOUP below', ['SOUP']],
    ['Kommentiere REZEPT und ich schick dir den Link', ['REZEPT']],
    ['Schreib mir „Kuchen“ in die Kommentare', ['Kuchen']],
    ['Commente RECETTE pour la recevoir', ['RECETTE']],
    ['Écris-moi le mot « tarte » en commentaire', ['tarte']],
    ['Comenta RECETA y te la mando', ['RECETA']],
    ['Comente a palavra BOLO que eu envio', ['BOLO']],
    ['Scrivi TIRAMISÙ nei commenti', ['TIRAMISÙ']],
    ['Reageer met SOEP voor het recept', ['SOEP']],
    ['Napisz w komentarzu PRZEPIS', ['PRZEPIS']],
    ['Yoruma TARİF yaz, sana göndereyim', ['TARİF']],
    ['Напиши в комментариях РЕЦЕПТ', ['РЕЦЕПТ']],
    ['Skriv RECEPT så skickar jag länken', ['RECEPT']],
    ['اكتبي كلمة وصفة في التعليقات', ['وصفة']],
    ['コメントに「レシピ」と書いてね', ['レシピ']],
    // On stories
    ['Lemon sauce! Reply SAUCE and I’ll send it', ['SAUCE']],
    ['Reply to this story with the word “lemon”', ['lemon']],
    ['Antworte mir mit SOSSE', ['SOSSE']],
    ['Réponds avec le mot « sauce »', ['sauce']],
    ['Responde SALSA y te la mando', ['SALSA']],
    ['Rispondi con SALSA', ['SALSA']],
  ])('%s', (caption, words) => {
    expect(captionWords(caption)).toEqual(words);
  });

  test('words in capitals count where nothing is asked for outright', () => {
    expect(captionWords('NONNA taught me this. Comment GNOCCHI for more')).toEqual(['GNOCCHI']);
    expect(captionWords('ROLLS in the comments and the recipe comes to you')).toEqual(['ROLLS']);
  });

  test('what the creator will send is not what followers should write', () => {
    expect(captionWords('Comment FOCACCIA and I’ll send the printable card')).toEqual(['FOCACCIA']);
  });

  test('nothing is suggested where nothing is asked', () => {
    expect(captionWords('')).toEqual([]);
    expect(captionWords('Let me know in the comments what you think, comment below!')).toEqual([]);
    expect(captionWords('EASY VEGAN BBQ for the weekend')).toEqual([]);
    expect(
      captionWords('MY GRANDMOTHERS BEST EVERYDAY BREAD WITHOUT KNEADING TAKES TEN MINUTES AND TASTES GREAT'),
    ).toEqual([]);
  });

  test('a caption of 2,200 quotation marks is read at once', () => {
    expect(captionWords('comment „'.repeat(600))).toEqual([]);
    expect(captionWords('"'.repeat(2200))).toEqual([]);
  });
});

describe('the word that followers are plainly asked to write', () => {
  test.each([
    ['Creamy coconut CURRY in 20 minutes. Comment CURRY and I will send it.', 'CURRY'],
    ['Comment "lemon cake" to get it in your DMs', 'lemon cake'],
    ['comment pasta for the recipe', 'pasta'],
    ['Comment pasta and I’ll send it', 'pasta'],
    ['ROLLS in the comments and the recipe comes to you', 'ROLLS'],
    ['Drop a 🍝 below', '🍝'],
    ['Lemon sauce! Reply "lemon" and I’ll send it', 'lemon'],
    ['Kommentiere REZEPT und ich schick dir den Link', 'REZEPT'],
  ])('%s', (caption, word) => {
    expect(askedWord(caption)).toBe(word);
  });

  test.each([
    'GNOCCHI like my NONNA made them',
    'If you make this, leave a review on the blog',
    'Leave a comment telling me what you think',
    'Say hello to my new kitchen',
    'I reply to everyone, promise',
    'I reply ASAP',
    '',
  ])('is not read into: %s', (caption) => {
    expect(askedWord(caption)).toBeNull();
  });
});
