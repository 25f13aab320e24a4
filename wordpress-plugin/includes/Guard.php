<?php
/**
 * An error of ours is noted and never becomes a white page of somebody's blog.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

final class Guard {

	/** For actions: nothing is answered. */
	public static function action( callable $callback ): \Closure {
		return self::around( $callback, null );
	}

	/** For filters: after an error the value goes on as it came. */
	public static function filter( callable $callback ): \Closure {
		return self::around(
			$callback,
			function ( $arguments ) {
				return $arguments[0] ?? null;
			}
		);
	}

	/** For what prints something in a page: after an error nothing is printed. */
	public static function shown( callable $callback ): \Closure {
		return self::around(
			$callback,
			function () {
				return '';
			}
		);
	}

	public static function log( \Throwable $error ) {
		if ( defined( 'WP_DEBUG_LOG' ) && WP_DEBUG_LOG ) {
			// Where it is and what kind: a message may name a reader.
			error_log( 'Creator HQ: ' . get_class( $error ) . ' at ' . basename( $error->getFile() ) . ':' . $error->getLine() ); // phpcs:ignore
		}
	}

	private static function around( callable $callback, ?\Closure $otherwise ): \Closure {
		return function ( ...$arguments ) use ( $callback, $otherwise ) {
			try {
				return $callback( ...$arguments );
			} catch ( \Throwable $error ) {
				self::log( $error );
				return $otherwise ? $otherwise( $arguments ) : null;
			}
		};
	}
}
