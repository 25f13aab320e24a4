/** Spanish, of Spain and of Latin America. */
import { FOODS } from './foods.es.ts';
import { compileLexicon, inflected } from './lexicon.ts';
import { singularOfSpanish } from './words.ts';

const GENDERS = 'o a os as';
const PARTICIPLES = inflected(
  'picad, cortad, trocead, pelad, rallad, lavad, escurrid, batid, derretid, fundid, tamizad, cocid, hervid, asad, tostad, triturad, machacad, molid, desmenuzad, deshuesad, desgrasad, exprimid, colad, remojad, descongelad, congelad, calentad, templad, ablandad, mezclad, disuelt, separad, dividid, partid, laminad, saltead, filetead, desalad, marinad, sazonad, salpimentad, aplastad, majad, abiert, enter, crud, montad, sofrit, frit, dorad, hidratad, rehogad, confitad, desvenad, despepitad, cernid, enjuagad, secad, sec, quitad, retirad, cortadit, picadit, enharinad, pochad, desmigad, caramelizad',
  GENDERS,
);

export const SPANISH = compileLexicon({
  ...{ singular: singularOfSpanish, hasDecimalComma: true, elided: '' },
  numbers: {
    '1': 'uno',
    '2': 'dos, un par de, par de',
    '3': 'tres',
    '4': 'cuatro',
    '5': 'cinco',
    '6': 'seis, media docena de, media docena',
    '7': 'siete',
    '8': 'ocho',
    '9': 'nueve',
    '10': 'diez',
    '12': 'doce, una docena de, una docena, docena de',
    '15': 'quince',
    '20': 'veinte',
    '1/2': 'medio, media, la mitad de, mitad de, la mitad de un, la mitad de una',
    '1/3': 'un tercio, un tercio de, tercio de',
    '2/3': 'dos tercios, dos tercios de',
    '1/4': 'un cuarto, un cuarto de, cuarto de, cuarto',
    '3/4': 'tres cuartos, tres cuartos de, tres cuartas partes de',
    '3/2': 'uno y medio, una y media',
  },
  dozens: 'docenas, docenas de',
  articles: 'un, una, unos, unas',
  vagueAmounts:
    'un poco de, un poquito de, un poco, algo de, unas cuantas, unos cuantos, unas pocas, unos pocos, algunas, algunos, unas, unos, bastante, suficiente, cantidad suficiente de, abundante, mucho, mucha, varias, varios, un toque de, el',
  to: 'a, o, hasta',
  between: 'entre, de',
  or: 'o, u, y/o',
  and: 'y, e, &',
  of: 'de, del, de la, de los, de las, de el',
  plus: 'más, mas, y, +',
  minus: 'menos',
  times: 'x, ×, *',
  each: 'cada uno, cada una, cada, c/u, por unidad, la unidad, cu',
  lengths: 'cm, mm, centímetros, centímetro, pulgadas, pulgada',
  units: {
    teaspoon:
      'cucharadita, cucharaditas, cdta, cdtas, cdita, cditas, cucharilla, cucharillas, cdt, cucharita, cucharitas, cta, c/p, tsp',
    tablespoon:
      'cucharada, cucharadas, cda, cdas, cds, cuchara, cucharas, cucharada sopera, cucharadas soperas, cucharón, cs, c/s, tbsp, cucharada grande, cucharadas grandes',
    dessertspoon: 'cucharada de postre, cucharadas de postre',
    cup: 'taza, tazas, tz, tzas, tza, cup',
    glass: 'vaso, vasos, vasito, vasitos, copa, copas, copita',
    ounce: 'onza, onzas, oz',
    pound: 'libra, libras, lb, lbs',
    gram: 'g, gr, grs, gramo, gramos, gms',
    milligram: 'mg',
    kilogram: 'kg, kgs, kilo, kilos, kilogramo, kilogramos, k',
    milliliter: 'ml, mililitro, mililitros, cc',
    centiliter: 'cl, centilitro, centilitros',
    deciliter: 'dl, decilitro, decilitros',
    liter: 'l, lt, lts, litro, litros',
    pinch: 'pizca, pizcas, pellizco, pellizcos, pizquita',
    handful: 'puñado, puñados, puñadito, manotada, manojito',
    splash: 'chorro, chorrito, chorros, chorritos, chorreón, chorretón, chorrin',
    drop: 'gota, gotas',
    knob: 'nuez, nueces',
    drizzle: 'hilo, hilito',
    dash: 'golpe, golpes',
    can: 'lata, latas, latita, latitas',
    jar: 'bote, botes, tarro, tarros, frasco, frascos, tarrito',
    bottle: 'botella, botellas, botellín, botellines',
    carton: 'brik, briks, brick, bricks, cartón, tetrabrik',
    package: 'paquete, paquetes, paq, pack, paquetito',
    bag: 'bolsa, bolsas, bolsita, bolsitas',
    box: 'caja, cajas',
    tub: 'tarrina, tarrinas, terrina, terrinas',
    container: 'envase, envases',
    sachet: 'sobre, sobres, sobrecito, sobrecitos',
    tray: 'bandeja, bandejas',
    bar: 'tableta, tabletas, barra, barras, barrita, barritas',
    block: 'bloque, bloques, taco, tacos',
    sheet: 'lámina, láminas, plancha, planchas, placa, placas',
    roll: 'rollo, rollos, rulo, rulos',
    ball: 'bola, bolas',
    loaf: 'hogaza, hogazas',
    clove: 'diente, dientes',
    head: 'cabeza, cabezas',
    bunch: 'manojo, manojos, ramillete, atado, mazo',
    sprig: 'ramita, ramitas, rama, ramas',
    stalk: 'tallo, tallos, penca, pencas',
    leaf: 'hoja, hojas, hojita, hojitas',
    slice: 'loncha, lonchas, rebanada, rebanadas, rodaja, rodajas, tajada, tajadas, feta, fetas, lasca, lascas',
    piece: 'trozo, trozos, trocito, pedazo, pedazos, pieza, piezas, unidad, unidades, ud, uds, u',
    wedge: 'gajo, gajos, cuña, cuñas',
    fillet: 'filete, filetes, lomo, lomos',
    strip: 'tira, tiras',
    cube: 'cubo, cubos, pastilla, pastillas, cubito, cubitos, dado, dados',
  },
  qualifiers:
    'aproximadamente, aprox, aprox., unos, unas, alrededor de, cerca de, más o menos, casi, apenas, colmada, colmadas, colmado, colmados, rasa, rasas, raso, rasos, bien llena, bien llenas, generoso, generosa, generosos, generosas, escasa, escaso, escasas, al menos, mínimo, máximo, hasta, ~, ≈, en total, peso neto, peso escurrido, netos, buen, buena, buenos, hermosa, otro, otra, un total de, como, llena, llenas, bien colmada, bien cargada',
  sizes:
    'grande, grandes, mediano, mediana, medianos, medianas, pequeño, pequeña, pequeños, pequeñas, chico, chica, chicos, chicas, enorme, hermosos, muy grande, muy pequeño, extra grande, tamaño m, tamaño l, tamaño xl, talla m, talla l, talla xl, l, m, xl, gordo, gorda, gordos, gordas, grueso, gruesa, gruesos, gruesas, fino, fina, finos, finas, largo, larga, no muy grande, mediano grande, gordito',
  foodSizes:
    'grande, grandes, mediano, mediana, medianos, medianas, pequeño, pequeña, pequeños, pequeñas, chico, chica, chicos, chicas, enorme, muy grande, muy pequeño, extra grande, tamaño m, tamaño l, tamaño xl, talla m, talla l, talla xl',
  heaped: 'colmada, colmadas, colmado, colmados, bien colmada',
  scant: 'escasa, escaso, escasas, apenas',
  states:
    'fresco, fresca, frescos, frescas, recién hecho, maduro, madura, maduros, maduras, muy maduro, muy maduros, muy maduras, ecológico, ecológicos, ecológica, orgánico, orgánica, casero, casera, caseros, caseras, de calidad, de buena calidad, bueno, buena, frío, fría, fríos, muy fría, muy frío, caliente, calientes, tibio, tibia, templado, templada, natural, tierno, tierna, tiernos, tiernas, duro, dura, del día anterior, de temporada, a temperatura ambiente, congelado, congelada, congelados, congeladas, de corral, camperos, campero, hirviendo, jugoso, jugosos, firme, firmes, crudo, cruda',
  preparations: `${PARTICIPLES}, limpio, limpia, limpios, limpias, recién ${PARTICIPLES.split(',').join(', recién ')}, en dados, en daditos, en cubos, en cubitos, en rodajas, en rodajas finas, en láminas, en tiras, en juliana, en trozos, en trocitos, en cuartos, en gajos, en cuñas, en lonchas, en brunoise, en aros, en mitades, en bastones, en filetes, a tiras, a dados, a trozos, a rodajas, a cubos, a láminas, a cuartos, sin piel, sin pepitas, sin semillas, sin hueso, sin huesos, sin espinas, sin corteza, sin grasa, sin rabo, por la mitad, a punto de nieve, a punto de pomada, en punto pomada, a punto pomada, punto pomada, con piel, con hueso`,
  adverbs:
    'finamente, muy, bien, ligeramente, recién, groseramente, toscamente, finito, fino, fina, menudo, muy fino, muy fina, muy finos, gruesamente, en crudo, previamente, ya, no, al momento',
  describing:
    'grande, pequeño, fresco, dulce, picante, blanco, blanca, rojo, roja, verde, amarillo, negro, negra, integral, light, desnatado, desnatada, entero, entera, semidesnatada, sin sal, con sal, sin azúcar, sin lactosa, sin gluten, virgen, extra, suave, fuerte, líquido, líquida, seco, seca, ahumado, ahumada, rubia, moreno, morena, tierno, curado, semicurado, vegetal, vegana, vegano, magra, magro, molido, molida, en polvo, bajo, baja, ibérico, ibérica, cocido, cocida, pelado, pelada, triturado, triturada, rallado, rallada, italiano, griego, español, mexicano, japonés, maduro, natural',
  ends: 'para, al gusto, a gusto, opcional, opcionales, si, por, con, sin, en, que, como, o al gusto, según, cortado, cortada, cortados, cortadas, picado, picada, picados, picadas, pelado, pelada, pelados, peladas, a temperatura, a temperatura ambiente, cantidad, c/n, cn, c.n., y un poco más, más para, más un poco, preferiblemente, preferentemente, a poder ser, mejor, tipo, aproximadamente, aprox, extra para, y algo más, unos, hasta, a elegir, a tu gusto, al natural, más o menos, recién, entre, bien, ya, reservado, reservada, desmenuzado, desmenuzada, lavado, lavada, lavados, lavadas, troceado, troceada, troceados, batidos, batido, derretida, derretido, escurrido, escurrida, escurridos, escurridas, de aproximadamente, de unos, de unas',
  optional:
    'opcional, opcionales, opcionalmente, si quieres, si se quiere, si te gusta, si se desea, si gustas, si deseas, si lo prefieres',
  toTaste:
    'al gusto, a gusto, a tu gusto, o al gusto, cantidad necesaria, c/n, cn, c n, la necesaria, el necesario, lo que pida, según gusto, a discreción',
  divided: 'dividido, divididos, dividida, divididas',
  more: 'más para, y un poco más, más un poco, y algo más, un poco más, y más, más extra',
  parts:
    'zumo, jugo, ralladura, piel, cáscara, el zumo, el jugo, la ralladura, la piel, zumo y ralladura, jugo y ralladura, ralladura y zumo, ralladura y jugo, el zumo y la ralladura, la ralladura y el zumo, la ralladura y el jugo, el jugo y la ralladura, la piel rallada, piel rallada, la cáscara rallada',
  partOf: 'de',
  headings:
    'para el, para la, para los, para las, para, ingredientes, relleno, masa, salsa, cobertura, glaseado, decoración, aliño, vinagreta, marinada, base, la masa, la salsa, el relleno, la base, guarnición, crema, la crema, bizcocho, sofrito, adobo, el sofrito, caldo, además, almíbar, empanado, montaje, aderezo, la vinagreta',
  for: 'para el, para la, para los, para las, para',
  notes:
    'nota, notas, ver, preparación, elaboración, instrucciones, pasos, paso, consejo, consejos, truco, trucos, precalentar, precalienta, mezcla, mezclar, hornear, hornea, añade, añadir, tiempo, raciones, porciones, rinde, calorías, sigue, sígueme, comenta, guarda, comparte, receta, receta completa, enlace, utensilios, sirve, todo, os dejo, te dejo, dejar, deja, cocer, servir, batir, bate, recuerda, molde, un molde',
  other: 'otro, otra, cualquier, cualquier otro, cualquier otra, tu, tu favorito, también, similar',
  insteadUse:
    'sustituir por, sustituye por, en su defecto, se puede usar, puedes usar, puede ser, puedes sustituir por, se puede sustituir por, o en su defecto, también vale, vale',
  worksToo: 'también, sirve, sirven, vale, valen',
  packedPrepared:
    'picado, picada, troceado, troceados, triturado, triturada, pelado, pelados, laminado, laminados, rallado, rallada, rallados, desmenuzado',
  soldPrepared: 'coco, queso, carne, tomate, pan, almendra, almendras, pimienta, champiñones, ajo',
  brands:
    'philadelphia, maizena, royal, nutella, knorr, avecrem, oreo, nestlé, la lechera, gallo, hacendado, carbonell, maggi, tabasco, kikkoman, heinz, central lechera asturiana, président, lotus, ybarra, la chinata, hellmanns, ideal',
  foods: FOODS,
  pantry: 'agua, sal, sal fina, sal gorda, pimienta, pimienta negra, sal y pimienta',
  sameFoods:
    'patata/papa, tomate/jitomate, aguacate/palta, judía verde/ejote/vainita/chaucha/habichuela verde, maíz/elote/choclo, guisante/arveja/chícharo, alubia/frijol/poroto/judía/habichuela, pimiento/morrón, pimiento rojo/morrón rojo, zumo de limón/jugo de limón, zumo de naranja/jugo de naranja, nata/crema de leche, nata para montar/crema para batir/nata para batir, mantequilla/manteca, mantequilla sin sal/manteca sin sal, levadura química/polvo para hornear/polvo de hornear/levadura en polvo/impulsor, bicarbonato/bicarbonato sódico/bicarbonato de sodio, almidón de maíz/maicena/fécula de maíz/maizena, cacahuete/maní/cacahuate, calabacín/zapallito/calabacita, calabaza/zapallo, remolacha/betabel/betarraga, batata/boniato/camote, melocotón/durazno, fresa/frutilla, piña/ananá, plátano/banana, gamba/camarón, cerdo/puerco/chancho, ternera/res, carne picada/carne molida, azúcar glas/azúcar glass/azúcar impalpable/azúcar pulverizada, azúcar moreno/azúcar morena/azúcar rubia, harina de trigo/harina común, cilantro/culantro, aceite de oliva virgen extra/aove, guindilla/chile/ají, pimentón dulce/paprika, nuez moscada/moscada',
});
